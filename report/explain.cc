// SPDX-License-Identifier: Apache-2.0
#include "report/explain.h"

#include <fmt/format.h>

#include <map>

#include "isa/codec.h"
#include "model/shuffle/shuffle_energy.h"
#include "report/columns.h"
#include "report/text_table.h"

namespace shflsim::report {
namespace {

using isa::kLanes;
using isa::Role;
using isa::ShuffleMode;

constexpr size_t kCollisionsShown = 4;

bool has(isa::LaneMask mask, unsigned lane) { return (mask >> lane & 1u) != 0; }
unsigned segment_mask(uint32_t sc) { return sc >> 8 & 0x1F; }
unsigned clamp(uint32_t sc) { return sc & 0x1F; }

/// Lanes of a segment where the mask is that of equal runs of lanes; 0 where it is not.
unsigned segment_width(uint32_t sc) {
  const unsigned width = kLanes - segment_mask(sc);
  return (width & (width - 1)) == 0 ? width : 0;
}

/// Sc of the lanes that execute, where it is the same in all of them.
bool uniform_sc(const ExplainedShuffle& shuffle, uint32_t* sc) {
  bool found = false;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!has(shuffle.map.executing, lane)) continue;
    if (found && shuffle.sc[lane] != *sc) return false;
    *sc = shuffle.sc[lane];
    found = true;
  }
  return found;
}

std::string ptx_operand(const isa::Operand& operand) {
  if (operand.is(isa::Operand::Kind::kImmediate)) return fmt::format("0x{:x}", operand.value);
  return operand.index == isa::kRZ ? "0" : fmt::format("%r{}", operand.index);
}

std::string cuda_operand(const isa::Operand& operand) {
  if (operand.is(isa::Operand::Kind::kImmediate)) return fmt::format("{}", operand.value);
  return operand.index == isa::kRZ ? "0" : fmt::format("r{}", operand.index);
}

/// The ports that carried values of several lanes, one after the other.
std::vector<std::string> collisions_of(const model::ShuffleNetwork& network,
                                       const model::Schedule& schedule) {
  std::map<unsigned, std::vector<unsigned>> sources;
  for (const model::Pass& pass : schedule.passes) {
    for (const model::PortUse& use : pass.uses) {
      std::vector<unsigned>& carried = sources[use.port];
      if (carried.empty() || carried.back() != use.source) carried.push_back(use.source);
    }
  }
  std::vector<std::string> texts;
  for (const auto& [port, lanes] : sources) {
    if (lanes.size() < 2) continue;
    texts.push_back(fmt::format("{}: lanes {}", network.port_name(port), fmt::join(lanes, " ")));
  }
  return texts;
}

/// "8 of 4 lanes", or what is unusual about them.
std::string segments_text(const ExplainedShuffle& shuffle) {
  uint32_t sc = 0;
  if (shuffle.map.executing == 0) return "no lane executes";
  if (!uniform_sc(shuffle, &sc)) return "Sc differs from lane to lane";
  const unsigned width = segment_width(sc);
  if (width == 0) return fmt::format("lane bits 0x{:02x} say which", segment_mask(sc));
  return width == kLanes ? "1 of 32 lanes" : fmt::format("{} of {} lanes", kLanes / width, width);
}

std::string remark(const isa::LaneMap& map, unsigned lane) {
  if (!has(map.executing, lane)) return "does not execute";
  if (has(map.undefined, lane)) {
    return fmt::format("undefined: lane {} does not execute", map.source[lane]);
  }
  return has(map.in_range, lane) ? "" : "out of range: keeps its own value";
}

/// "3 <--- 7": one lane's arrow.
std::string arrow(const isa::LaneMap& map, unsigned lane) {
  if (!has(map.executing, lane)) return fmt::format("{:>2}", lane);
  const char* shaft = map.source[lane] == lane ? "<-." : map.source[lane] < lane ? "<--" : "<==";
  return fmt::format("{:>2} {} {:>2}", lane, shaft, map.source[lane]);
}

void write_lanes(std::ostream& out, const isa::LaneMap& map) {
  TextColumn arrows{"lane  from", true};
  TextColumn predicates{"predicate", true};
  TextColumn remarks{"", true};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const bool executes = has(map.executing, lane);
    arrows.cells.push_back(arrow(map, lane));
    predicates.cells.emplace_back(!executes ? "-" : has(map.in_range, lane) ? "true" : "false");
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
    passes.cells.push_back(fmt::format("{}", route.passes));
    conflicts.cells.push_back(fmt::format("{}", route.port_conflicts));
    energies.cells.push_back(fmt::format("{:.0f}", route.energy));
    collisions.cells.push_back(shown(route.collisions));
  }
  out << "\nNetworks (port conflicts: lanes that waited, summed over passes)\n";
  collisions.shortened = true;
  write_columns(out, {names, passes, conflicts, energies, collisions});
}

}  // namespace

std::vector<ExplainedRoute> routes_of(const isa::LaneMap& map, const model::NetworkChoice& choice) {
  std::vector<ExplainedRoute> routes;
  for (const std::string& name : model::ShuffleNetworks::names()) {
    const auto network = choice.make(name, kLanes);
    const model::Schedule schedule = network->route(map);
    const double energy =
        model::shuffle_energy(network->cost(), choice.technology(), kLanes, schedule.pass_count());
    routes.push_back({name, schedule.pass_count(), schedule.port_conflicts(), energy,
                      collisions_of(*network, schedule)});
  }
  return routes;
}

std::string ptx_spelling(const ExplainedShuffle& shuffle) {
  static constexpr const char* kModes[] = {"idx", "up", "down", "bfly"};
  const isa::Instruction& shfl = shuffle.shfl;
  std::string text;
  if (shfl.has_guard()) text = fmt::format("@{}%p{} ", shfl.guard_negate ? "!" : "", shfl.guard);
  const uint8_t predicate = shfl[Role::kP].index;
  const std::string also = predicate == isa::kPT ? "" : fmt::format("|%p{}", predicate);
  return text + fmt::format("shfl.sync.{}.b32 {}{}, {}, {}, {}, 0x{:08x};",
                            kModes[static_cast<size_t>(isa::shuffle_mode(shfl))],
                            shfl[Role::kD].index == isa::kRZ ? "_" : ptx_operand(shfl[Role::kD]),
                            also, ptx_operand(shfl[Role::kA]), ptx_operand(shfl[Role::kB]),
                            ptx_operand(shfl[Role::kC]), shuffle.map.executing);
}

std::string cuda_spelling(const ExplainedShuffle& shuffle) {
  static constexpr const char* kNames[] = {"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync",
                                           "__shfl_xor_sync"};
  const isa::Instruction& shfl = shuffle.shfl;
  const ShuffleMode mode = isa::shuffle_mode(shfl);
  uint32_t sc = 0;
  if (!uniform_sc(shuffle, &sc)) return "none: the lanes have no Sc in common";
  const unsigned width = segment_width(sc);
  if (width == 0) return "none: the segments are no runs of 2, 4, 8, 16 or 32 lanes";
  const unsigned inside = width - 1;  // the lane bits that the clamp speaks of
  const unsigned usual = mode == ShuffleMode::kUp ? 0 : inside;
  if ((clamp(sc) & inside) != usual) {
    return fmt::format("none: intrinsics clamp at lane {} of a segment, not {}", usual,
                       clamp(sc) & inside);
  }
  std::string text =
      fmt::format("{}(0x{:08x}, {}, {}", kNames[static_cast<size_t>(mode)], shuffle.map.executing,
                  cuda_operand(shfl[Role::kA]), cuda_operand(shfl[Role::kB]));
  text += width == kLanes ? ")" : fmt::format(", {})", width);
  if (shfl[Role::kP].index != isa::kPT) text += ", which does not return the predicate";
  return text;
}

void write_explanation(std::ostream& out, const ExplainedShuffle& shuffle,
                       const std::vector<ExplainedRoute>& routes) {
  const isa::LaneMap& map = shuffle.map;
  constexpr size_t kText = 12;  // where the texts begin
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

std::string word_digits(const isa::Instruction& shfl) {
  return isa::family_of(shfl.arch) == isa::Family::kMaxwell
             ? fmt::format("{:016x}", shfl.word.low)
             : fmt::format("{:016x}{:016x}", shfl.word.high, shfl.word.low);
}

}  // namespace shflsim::report
