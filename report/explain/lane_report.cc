// SPDX-License-Identifier: Apache-2.0
#include "report/explain/lane_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "isa/base/bounded.h"
#include "isa/base/input_error.h"
#include "isa/base/text_cursor.h"
#include "model/shuffle/shuffle_energy.h"

namespace shflsim::report {
namespace {

constexpr unsigned kUsualLanes = 0;

/// The values of registers of "v2=lane*4; s3=5", for each of `lanes` lanes.
std::map<std::string, std::vector<uint32_t>> registers_of(const std::string& text, unsigned lanes) {
  std::map<std::string, std::vector<uint32_t>> registers;
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ';');) {
    const size_t equals = item.find('=');
    const std::string name(isa::trimmed(item.substr(0, std::min(equals, item.size()))));
    if (equals == std::string::npos || name.empty()) {
      throw InputError("--values: '" + item +
                       "'; expected registers such as 'v2=lane*4; s3=0x76543210'");
    }
    const std::string values(isa::trimmed(item.substr(equals + 1)));
    registers[name] = isa::lane_values(values, lanes, "--values: " + name);
  }
  return registers;
}

isa::WideMask active_lanes(const std::optional<std::string>& text, unsigned lanes) {
  if (!text) return isa::all_lanes_of(lanes);
  const std::optional<uint64_t> mask = whole_number(*text);
  if (!mask || (*mask & ~isa::all_lanes_of(lanes)) != 0) {
    throw InputError(
        fmt::format("--lanes: '{}' is no mask of {} lanes; expected one such as 0x{:x}", *text,
                    lanes, isa::all_lanes_of(lanes)));
  }
  return *mask;
}

unsigned usual_lanes(const std::vector<const isa::LaneFamily*>& families) {
  return families.empty() ? 32 : families.front()->lane_counts.front();
}

void add_step(const isa::LaneMove& move, const model::ShuffleNetwork& network, LaneRoute* route) {
  for (unsigned result = 0; result < move.results; ++result) {
    for (unsigned operand = 0; operand < move.operands; ++operand) {
      const auto requests = model::requests(move, result, operand);
      if (requests.empty()) continue;
      const model::Schedule schedule = network.route(requests);
      route->passes += schedule.pass_count();
      route->port_conflicts += schedule.port_conflicts();
    }
  }
}

LaneRoute route_of(const std::vector<isa::LaneMove>& steps, const std::string& name,
                   const model::NetworkChoice& choice) {
  const unsigned lanes = steps[0].lanes;
  const auto network = choice.make(name, lanes);
  LaneRoute route{name, 0, 0, network->cost(), std::nullopt};
  for (const isa::LaneMove& step : steps) add_step(step, *network, &route);
  if (route.passes > 0 && !network->wiring().outputs().empty())
    route.energy = model::shuffle_energy(route.cost, choice.technology(), lanes, route.passes);
  return route;
}

}  // namespace

bool is_lane_instruction(const std::string& text) {
  return text.rfind("SHFL", 0) != 0 && !isa::LaneFamilies::with_operation(text).empty();
}

ExplainedLanes explained_lanes(const LaneQuestion& question, const model::NetworkChoice& choice,
                               const std::vector<std::string>& networks) {
  std::vector<const isa::LaneFamily*> families = isa::LaneFamilies::with_operation(question.text);
  if (question.family) families = {&isa::LaneFamilies::named(*question.family, "--family")};
  if (families.empty())
    throw InputError("'" + question.text +
                     "' is no lane operation; expected one of "
                     "`shflsim list families`");
  isa::LaneContext context;
  context.lanes = question.lanes == kUsualLanes ? usual_lanes(families) : question.lanes;
  context.active = active_lanes(question.active, context.lanes);
  if (question.values) context.registers = registers_of(*question.values, context.lanes);

  ExplainedLanes lanes;
  lanes.read = isa::read_lane_instruction(families, question.text, context);
  lanes.active = context.active;
  const std::vector<isa::LaneMove>& steps = lanes.read.instruction.steps;
  for (const std::string& name : networks) {
    try {
      lanes.routes.push_back(route_of(steps, name, choice));
    } catch (const InputError&) {  // a parameter does not fit this number of lanes
      lanes.left_out += (lanes.left_out.empty() ? "" : ", ") + name;
    }
  }
  if (!question.as) return lanes;
  lanes.as = &isa::LaneFamilies::named(*question.as, "--as");
  if (steps.size() != 1)
    throw InputError("--as: the instruction combines lanes; expected one that only moves them");
  lanes.sequence = isa::cheapest_sequence(*lanes.as, steps[0], context.active);
  return lanes;
}

std::string lane_words(const std::vector<uint32_t>& words) {
  std::string text;
  for (const uint32_t word : words) text += fmt::format("{}{:08x}", text.empty() ? "" : " ", word);
  return text;
}

std::string cost_text(const isa::LaneCost& cost) {
  return cost.source.empty() ? "nobody published it" : cost.source;
}

std::string needs_text(const isa::LaneCandidate& candidate) {
  std::string text;
  for (const auto& [name, values] : candidate.registers) {
    const bool same = std::all_of(values.begin(), values.end(),
                                  [first = values[0]](uint32_t value) { return value == first; });
    text += fmt::format(
        "{}{}={}", text.empty() ? "" : "; ", name,
        same ? fmt::format("0x{:x}", values[0]) : fmt::format("{}", fmt::join(values, ",")));
  }
  return text;
}

}  // namespace shflsim::report
