// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "report/explain/lane_report.h"
#include "report/terminal/text_table.h"

namespace shflsim::report {
namespace {

using isa::LaneSource;

const char* const kOperandNames[] = {"", "second "};

std::string source_text(const LaneSource& from, unsigned lane, bool halves) {
  switch (from.kind) {
    case LaneSource::Kind::kOld:
      return fmt::format("{:>2}      keeps what its register held", lane);
    case LaneSource::Kind::kZero: return fmt::format("{:>2}      0", lane);
    case LaneSource::Kind::kUndefined: return fmt::format("{:>2}      undefined", lane);
    case LaneSource::Kind::kLane: break;
  }
  const char* shaft = from.lane == lane ? "<-." : from.lane < lane ? "<--" : "<==";
  const char* half = from.operand == 0 ? " low half" : " high half";
  return fmt::format("{:>2} {} {}{:>2}{}", lane, shaft, halves ? "" : kOperandNames[from.operand],
                     from.lane, halves ? half : "");
}

const char* result_heading(const isa::LaneMove& move, unsigned result) {
  if (move.results == 1) return "lane  from";
  if (move.bits == 16) return result == 0 ? "low half\nlane  from" : "high half\nlane  from";
  return result == 0 ? "first result\nlane  from" : "second result\nlane  from";
}

void write_move(std::ostream& out, const isa::LaneMove& move) {
  std::vector<TextColumn> columns;
  for (unsigned result = 0; result < move.results; ++result) {
    TextColumn column{result_heading(move, result), true};
    for (unsigned lane = 0; lane < move.lanes; ++lane)
      column.cells.push_back(source_text(move.source[result][lane], lane, move.bits == 16));
    columns.push_back(column);
  }
  write_columns(out, columns);
}

void write_lane_routes(std::ostream& out, const ExplainedLanes& lanes) {
  TextColumn names{"network", true};
  TextColumn passes{"passes"};
  TextColumn conflicts{"port confl"};
  TextColumn mux2{"mux2"};
  TextColumn energies{"pJ"};
  for (const LaneRoute& route : lanes.routes) {
    names.cells.push_back(route.network);
    passes.cells.push_back(fmt::format("{}", route.passes));
    conflicts.cells.push_back(fmt::format("{}", route.port_conflicts));
    mux2.cells.push_back(fmt::format("{}", route.cost.mux2));
    energies.cells.push_back(route.energy ? fmt::format("{:.0f}", *route.energy) : "");
  }
  out << fmt::format("\nNetworks of {} lanes (mux2: multiplexers of two words, in bits)\n",
                     lanes.read.instruction.steps[0].lanes);
  write_columns(out, {names, passes, conflicts, mux2, energies});
  if (!lanes.left_out.empty()) out << "Not built with so few lanes: " << lanes.left_out << "\n";
}

void write_sequence(std::ostream& out, const ExplainedLanes& lanes) {
  out << fmt::format("\nThe same as {} ({})\n", lanes.as->name, lanes.as->help);
  if (lanes.sequence.empty()) {
    out << "  none of at most two instructions\n";
    return;
  }
  for (const isa::LanePart& part : lanes.sequence) {
    out << fmt::format("  {}{}\n", part.instruction.text,
                       part.chained ? "   (reads the result before)" : "");
    const std::string needs = needs_text(part.candidate);
    if (!needs.empty()) write_line(out, "    with " + needs, 9);
    write_line(out, "    cost " + cost_text(part.instruction.cost), 9);
  }
}

}  // namespace

void write_lanes_explanation(std::ostream& out, const ExplainedLanes& lanes) {
  const isa::LaneInstruction& instruction = lanes.read.instruction;
  constexpr size_t kText = 12;  // column where the texts begin
  write_line(out, instruction.text);
  write_line(out,
             fmt::format("  family    {} ({})", lanes.read.family->name, lanes.read.family->help),
             kText);
  if (!instruction.words.empty())
    out << fmt::format("  word      {}\n", lane_words(instruction.words));
  out << fmt::format("  lanes     {}, of which {} execute\n", instruction.steps[0].lanes,
                     __builtin_popcountll(lanes.active));
  write_line(out, "  cost      " + cost_text(instruction.cost), kText);
  for (size_t step = 0; step < instruction.steps.size(); ++step) {
    out << (instruction.steps.size() == 1 ? "\nLanes" : fmt::format("\nLanes, step {}", step + 1))
        << " (<-- from a lower lane, <== from a higher one, <-. its own)\n";
    write_move(out, instruction.steps[step]);
  }
  write_lane_routes(out, lanes);
  if (lanes.as != nullptr) write_sequence(out, lanes);
}

}  // namespace shflsim::report
