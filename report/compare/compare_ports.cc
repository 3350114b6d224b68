// SPDX-License-Identifier: Apache-2.0
#include "report/compare/compare_ports.h"

#include <fmt/format.h>

#include <algorithm>

#include "traces/warp_reader.h"

namespace shflsim::report {
namespace {

constexpr size_t kPortsALine = 32;

/// The port use of one lane map.
struct MapUse {
  uint32_t passes = 0;
  std::map<uint32_t, uint64_t> carried;         ///< by port: passes
  std::map<uint32_t, uint64_t> port_conflicts;  ///< by port
};

MapUse use_of(const model::Schedule& schedule) {
  MapUse use;
  use.passes = schedule.pass_count();
  uint64_t served = 0;  // passes so far that served any lane
  for (const model::Pass& pass : schedule.passes) {
    for (const model::PortUse& port : pass.uses) ++use.carried[port.port];
    if (pass.deliveries.empty()) continue;
    for (const model::Delivery& delivery : pass.deliveries) {
      if (served != 0) use.port_conflicts[delivery.port] += served;
    }
    ++served;
  }
  return use;
}

/// The number of executions, by static SHFL and lane map.
using Executions = std::map<std::pair<size_t, uint32_t>, uint64_t>;

Executions executions_of(const traces::Trace& trace) {
  Executions executions;
  for (size_t warp = 0; warp < trace.warps.size(); ++warp) {
    traces::WarpReader steps(trace, warp);
    do {
      const traces::Step& step = steps.step();
      if (trace.code.lines[step.index].is_shuffle() && step.payload != traces::Step::kNone)
        ++executions[{step.index, step.payload}];
    } while (steps.next());
  }
  return executions;
}

void add(const MapUse& use, uint64_t times, PortUseReport::Shuffle* shuffle,
         PortUseReport* report) {
  shuffle->issues[use.passes] += times;
  report->passes += use.passes * times;
  for (const auto& [port, lanes] : use.port_conflicts)
    shuffle->port_conflicts[port] += lanes * times;
  for (const auto& [port, passes] : use.carried) report->carried[port] += passes * times;
}

char tenths(uint64_t part, uint64_t whole) {
  if (part == 0 || whole == 0) return '.';
  return part == whole ? '#' : static_cast<char>('0' + 10 * part / whole);
}

}  // namespace

PortUseReport port_use(const traces::Trace& trace, const model::ShuffleNetwork& network) {
  PortUseReport report;
  report.carried.resize(network.ports());
  for (unsigned port = 0; port < network.ports(); ++port) {
    report.names.push_back(network.port_name(port));
  }
  const Executions executions = executions_of(trace);
  const std::vector<isa::LaneMap>& maps = trace.maps();
  std::vector<MapUse> uses(maps.size());
  for (const auto& [key, times] : executions) {
    const auto [index, map] = key;
    if (uses[map].passes == 0) uses[map] = use_of(network.route(maps[map]));
    if (report.shuffles.empty() || report.shuffles.back().index != index) {
      report.shuffles.push_back({index, {}, {}});
    }
    add(uses[map], times, &report.shuffles.back(), &report);
  }
  return report;
}

std::string distribution_text(const PortUseReport::Shuffle& shuffle) {
  std::vector<std::string> parts;
  for (const auto& [passes, issues] : shuffle.issues) {
    parts.push_back(fmt::format("{}: {}", passes, issues));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string collisions_text(const PortUseReport::Shuffle& shuffle,
                            const std::vector<std::string>& names, size_t most) {
  std::vector<std::pair<uint32_t, uint64_t>> ports(shuffle.port_conflicts.begin(),
                                                   shuffle.port_conflicts.end());
  std::stable_sort(ports.begin(), ports.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> parts;
  for (const auto& [port, lanes] : ports) {
    if (parts.size() < most) parts.push_back(fmt::format("{} ({})", names.at(port), lanes));
  }
  if (ports.size() > most) parts.push_back(fmt::format("{} more", ports.size() - most));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string utilization_picture(const PortUseReport& use) {
  size_t width = 0;
  for (const std::string& name : use.names) width = std::max(width, name.size());
  std::string picture;
  for (size_t port = 0; port < use.carried.size(); ++port) {
    if (port % kPortsALine == 0) {
      picture += fmt::format("{}    {:<{}}  ", port == 0 ? "" : "\n", use.names[port], width);
    }
    picture += tenths(use.carried[port], use.passes);
  }
  return picture + "\n";
}

}  // namespace shflsim::report
