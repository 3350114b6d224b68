// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "report/compare/compare.h"
#include "report/run/field_table.h"
#include "report/run/report.h"

namespace shflsim::report {
namespace {

constexpr size_t kCollisionsShown = 4;

/// A note on what latencies with depth refer to.
std::string note_on_depth(const DesignCost& cost) {
  const model::Technology& technology = cost.technology;
  return fmt::format(
      "latency: with the stages that logic and wires need beyond a crossbar's, in cells of {} at "
      "{} "
      "MHz with lanes {} um apart; in brackets {} to {} um. Settings are known in advance but "
      "where "
      "a network's routing says otherwise",
      technology.library, technology.clock, technology.lane_pitch, technology.lane_pitch_least,
      technology.lane_pitch_most);
}

bool has_one_latency(const Comparison& comparison, size_t count) {
  const auto latencies = [&](size_t design) {
    const DesignCost& cost = comparison.costs[design];
    return std::tuple(cost.latency, cost.latency_least, cost.latency_most);
  };
  for (size_t design = 1; design < count; ++design) {
    if (latencies(design) != latencies(0)) return false;
  }
  return true;
}

/// A note that networks that differ only in wires have the same timing.
std::string note_on_levels(const Comparison& comparison, size_t count) {
  uint32_t least = comparison.costs.front().network_cost.mux_levels;
  uint32_t most = least;
  for (size_t design = 0; design < count; ++design) {
    const DesignCost& cost = comparison.costs[design];
    if (cost.has_depth && !has_one_latency(comparison, count)) return note_on_depth(cost);
    if (cost.has_depth) continue;
    least = std::min(least, cost.network_cost.mux_levels);
    most = std::max(most, cost.network_cost.mux_levels);
  }
  if (least == most || comparison.costs.front().has_depth) return "";
  return fmt::format(
      "levels are not timed: a network of {} multiplexers in a row has the shuffle.latency that "
      "the "
      "config says, as one of {}; shuffle.depth=1 times them",
      most, least);
}

/// The settings of the design that its machine's first design lacks, except the network.
std::string own_overrides(const Machine& machine, const Machine& first) {
  std::vector<std::string> own;
  for (const std::string& setting : overrides_beside_network(machine)) {
    const auto& common = first.overrides;
    const bool is_common = std::find(common.begin(), common.end(), setting) != common.end();
    if (!is_common) own.push_back(setting);
  }
  return joined(own, ", ");
}

/// Writes each machine once, with the settings that its designs add.
void write_machines(std::ostream& out, const Comparison& comparison, size_t count) {
  std::map<std::string, const Machine*> firsts;
  for (size_t design = 0; design < count; ++design) {
    const Machine& machine = comparison.machines[design];
    const auto [first, is_new] = firsts.emplace(machine.name, &machine);
    const std::string own = own_overrides(machine, *first->second);
    if (is_new) write_machine(out, machine);
    if (is_new) write_remarks(out, remarks_on(machine));
    if (!own.empty())
      write_wrapped(out, fmt::format("{}: {}", comparison.designs[design].name, own));
  }
}

void write_designs(std::ostream& out, const Comparison& comparison, size_t count) {
  std::vector<DesignRow> rows;
  for (size_t design = 0; design < count; ++design) rows.push_back({comparison, design});
  write_line(out, fmt::format("Designs over {} workloads (speedup: geometric mean against {})",
                              comparison.workloads.size(), comparison.designs.front().name));
  write_columns(out, text_columns(design_columns(), rows));
  if (count < comparison.designs.size())
    write_wrapped(out, fmt::format("{} more designs", comparison.designs.size() - count));
  const std::string levels = note_on_levels(comparison, count);
  if (!levels.empty()) write_wrapped(out, levels);
}

/// The reason of a difference: "+312 short_scoreboard, passes +24".
std::string why(const LineDifference& difference) {
  std::string text;
  if (difference.state != model::WarpState::kSelected) {
    text = fmt::format("{:+} {}", difference.warp_cycles, model::warp_state_name(difference.state));
  }
  if (difference.passes != 0) {
    text += fmt::format("{}passes {:+}", text.empty() ? "" : ", ", difference.passes);
  }
  return text;
}

void write_lines(std::ostream& out, const PointRow& row, size_t top) {
  const isa::Code& code = row.comparison.workloads[row.workload].trace.code;
  TextColumn places{"", true, true};
  TextColumn reasons{"", true};
  for (const LineDifference& difference : line_differences(row)) {
    if (places.cells.size() == top) break;
    places.cells.push_back(fmt::format("    0x{:04x} {}", code.lines[difference.index].address,
                                       code.lines[difference.index].text));
    reasons.cells.push_back(why(difference));
  }
  write_columns(out, {places, reasons});
}

/// Writes the rows; `equal` names the designs whose results equal the first row.
void write_differences(std::ostream& out, const std::vector<PointRow>& rows,
                       const std::string& equal, size_t top) {
  std::vector<TextColumn> columns = text_columns(point_columns(), rows);
  TextColumn places{"differs most in warp-cycles at", true, true};
  TextColumn reasons{"", true};
  places.rank = rank_of("");
  reasons.rank = rank_of("stall_difference");
  for (const PointRow& row : rows) {
    const std::vector<LineDifference> lines = line_differences(row);
    const isa::Code& code = row.comparison.workloads[row.workload].trace.code;
    places.cells.push_back(lines.empty() ? "" : code.lines[lines.front().index].text);
    reasons.cells.push_back(lines.empty() ? "" : why(lines.front()));
  }
  if (!equal.empty()) places.cells.front() = "as " + equal;
  columns.push_back(reasons);
  columns.push_back(places);
  write_columns(out, columns);
  if (top < 2) return;
  for (const PointRow& row : rows) {
    if (row.design == 0) continue;
    write_line(out, fmt::format("  {}: instructions that differ most",
                                row.comparison.designs[row.design].name));
    write_lines(out, row, top);
  }
}

/// The designs that equal the first one on a workload, joined by commas.
std::string equal_designs(const Comparison& comparison, size_t workload, size_t count) {
  std::vector<std::string> names;
  for (size_t design = 1; design < count; ++design) {
    if (equals_first({comparison, workload, design}))
      names.push_back(comparison.designs[design].name);
  }
  return joined(names, ", ");
}

void write_workload(std::ostream& out, const Comparison& comparison, size_t workload,
                    const Shown& shown) {
  const Workload& its = comparison.workloads[workload];
  const size_t count = std::min(shown.designs, comparison.designs.size());
  std::vector<PointRow> rows;
  for (size_t design = 0; design < count; ++design) {
    const PointRow row{comparison, workload, design};
    if (design == 0 || !equals_first(row)) rows.push_back(row);
  }
  out << '\n';
  write_line(out, fmt::format("{}: grid {}, block {}", its.name, its.trace.blocks,
                              its.trace.threads_per_block));
  write_input(out, its.origin);
  write_remarks(out, remarks_on(its.trace));
  std::vector<std::string> remarks;
  for (const Machine& machine : comparison.machines)
    add_new(remarks_on(its.trace, machine), &remarks);
  write_remarks(out, remarks);
  const std::string equal = equal_designs(comparison, workload, count);
  write_differences(out, rows, equal, shown.lines);
  if (!equal.empty()) {
    write_wrapped(out, "no difference, in cycles, passes or any instruction's stalls: " + equal);
  }
}

void write_shuffles(std::ostream& out, const PortUseReport& use, const isa::Code& code) {
  TextColumn places{"", true, true};
  TextColumn passes{"passes: SHFLs", true};
  TextColumn collisions{"ports waited for (lanes)", true, true};
  for (const PortUseReport::Shuffle& shuffle : use.shuffles) {
    places.cells.push_back(fmt::format("  0x{:04x} {}", code.lines[shuffle.index].address,
                                       code.lines[shuffle.index].text));
    passes.cells.push_back(distribution_text(shuffle));
    collisions.cells.push_back(collisions_text(shuffle, use.names, kCollisionsShown));
  }
  write_columns(out, {places, passes, collisions});
}

void write_ports(std::ostream& out, const Comparison& comparison, size_t count) {
  out << '\n';
  write_line(out,
             "Ports: a digit each, tenths of the passes in which it carries a value (. never, # "
             "always)");
  for (size_t workload = 0; workload < comparison.workloads.size(); ++workload) {
    for (size_t design = 0; design < count; ++design) {
      const PortUseReport& use = comparison.ports[workload][design];
      if (use.passes == 0) continue;
      out << '\n';
      write_line(out, fmt::format("  {} on {}, {} passes", comparison.workloads[workload].name,
                                  comparison.designs[design].name, use.passes));
      out << utilization_picture(use);
      write_shuffles(out, use, comparison.workloads[workload].trace.code);
    }
  }
}

/// Writes a line for each run that was stopped.
void write_partial_runs(std::ostream& out, const Comparison& comparison) {
  for (size_t workload = 0; workload < comparison.workloads.size(); ++workload) {
    for (size_t design = 0; design < comparison.designs.size(); ++design) {
      const model::RunResult& result = comparison.points[workload][design];
      if (result.stopped_by.empty()) continue;
      out << fmt::format("{}, {}: {}\n", comparison.workloads[workload].name,
                         comparison.designs[design].name, partial_text(result));
    }
  }
}

}  // namespace

void write_comparison(std::ostream& out, const Comparison& comparison, const Shown& shown) {
  const size_t count = std::min(shown.designs, comparison.designs.size());
  write_partial_runs(out, comparison);
  write_designs(out, comparison, count);
  write_machines(out, comparison, count);
  for (size_t workload = 0; workload < comparison.workloads.size(); ++workload) {
    write_workload(out, comparison, workload, shown);
  }
  if (shown.ports) write_ports(out, comparison, count);
  const std::vector<std::string> verdict = verdict_on(comparison);
  if (!verdict.empty()) out << '\n';
  for (const std::string& line : verdict) write_wrapped(out, line);
}

}  // namespace shflsim::report
