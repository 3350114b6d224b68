// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "isa/codec/codec.h"
#include "report/explain/explain.h"
#include "report/run/columns.h"
#include "report/terminal/text_table.h"

#include "isa/lanes/lane_bits.h"

namespace shflsim::report {
namespace {

using isa::kLanes;

constexpr size_t kCollisionsShown = 4;

std::string remark(const isa::LaneMap& map, unsigned lane) {
  if (!isa::bit_of(map.executing, lane)) return "does not execute";
  if (isa::bit_of(map.undefined, lane)) {
    return fmt::format("undefined: lane {} does not execute", map.source[lane]);
  }
  return isa::bit_of(map.in_range, lane) ? "" : "out of range: keeps its own value";
}

/// The arrow of one lane: "3 <--- 7".
std::string arrow(const isa::LaneMap& map, unsigned lane) {
  if (!isa::bit_of(map.executing, lane)) return fmt::format("{:>2}", lane);
  const char* shaft = map.source[lane] == lane ? "<-." : map.source[lane] < lane ? "<--" : "<==";
  return fmt::format("{:>2} {} {:>2}", lane, shaft, map.source[lane]);
}

void write_lanes(std::ostream& out, const isa::LaneMap& map) {
  TextColumn arrows{"lane  from", true};
  TextColumn predicates{"predicate", true};
  TextColumn remarks{"", true};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const bool executes = isa::bit_of(map.executing, lane);
    arrows.cells.push_back(arrow(map, lane));
    predicates.cells.emplace_back(!executes                         ? "-"
                                  : isa::bit_of(map.in_range, lane) ? "true"
                                                                    : "false");
    remarks.cells.push_back(remark(map, lane));
  }
  out << "\nLanes (<-- from a lower lane, <== from a higher one, <-. its own)\n";
  write_columns(out, {arrows, predicates, remarks});
}

std::string shown(const std::vector<std::string>& collisions) {
  const size_t count = std::min(collisions.size(), kCollisionsShown);
  const std::vector<std::string> first(collisions.begin(),
                                       collisions.begin() + static_cast<std::ptrdiff_t>(count));
  std::string text = fmt::format("{}", fmt::join(first, "; "));
  if (collisions.size() > count) text += fmt::format("; and {} more", collisions.size() - count);
  return text;
}

void write_routes(std::ostream& out, const std::vector<ExplainedRoute>& routes) {
  TextColumn names{"network", true};
  TextColumn passes{"passes"};
  TextColumn conflicts{"port confl"};
  TextColumn energies{"pJ"};
  TextColumn collisions{"ports that carried several values in turn", true};
  for (const ExplainedRoute& route : routes) {
    names.cells.push_back(route.network);
    passes.cells.push_back(fmt::format("{}", route.schedule.pass_count()));
    conflicts.cells.push_back(fmt::format("{}", route.schedule.port_conflicts()));
    energies.cells.push_back(route.energy ? fmt::format("{:.0f}", *route.energy) : "");
    collisions.cells.push_back(shown(route.collisions));
  }
  out << "\nNetworks (port conflicts: lanes that waited, summed over passes)\n";
  collisions.shortened = true;
  write_columns(out, {names, passes, conflicts, energies, collisions});
}

}  // namespace

void write_explanation(std::ostream& out, const ExplainedShuffle& shuffle,
                       const std::vector<ExplainedRoute>& routes) {
  const isa::LaneMap& map = shuffle.map;
  constexpr size_t kText = 12;  // column where the texts begin
  write_line(out, isa::text_of(shuffle.shfl));
  out << fmt::format("  word      {}\n", word_digits(shuffle.shfl));
  write_line(out, "  PTX       " + ptx_spelling(shuffle), kText);
  write_line(out, "  CUDA      " + cuda_spelling(shuffle), kText);
  write_line(out, "  segments  " + segments_text(shuffle), kText);
  out << fmt::format("  lanes     {} execute, {} in range, {} undefined\n",
                     lanes_of(map.executing).size(), lanes_of(map.executing & map.in_range).size(),
                     lanes_of(map.undefined).size());
  write_lanes(out, map);
  write_routes(out, routes);
}

}  // namespace shflsim::report
