// SPDX-License-Identifier: Apache-2.0
#include "report/explain/explain.h"

#include "isa/lanes/lane_bits.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "isa/codec/codec.h"
#include "model/shuffle/shuffle_energy.h"

namespace shflsim::report {
namespace {

using isa::kLanes;
using isa::Role;
using isa::ShuffleMode;

unsigned segment_mask(uint32_t sc) { return sc >> 8 & 0x1F; }
unsigned clamp(uint32_t sc) { return sc & 0x1F; }

/// Lanes of a segment if the mask means equal segments; otherwise 0.
unsigned segment_width(uint32_t sc) {
  const unsigned width = kLanes - segment_mask(sc);
  return (width & (width - 1)) == 0 ? width : 0;
}

/// Finds the Sc of the executing lanes; false if it differs between them.
bool uniform_sc(const ExplainedShuffle& shuffle, uint32_t* sc) {
  bool found = false;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!isa::bit_of(shuffle.map.executing, lane)) continue;
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

/// The ports that carried values of several lanes in turn.
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

std::map<unsigned, std::string> names_of_used(const model::ShuffleNetwork& network,
                                              const model::Schedule& schedule) {
  std::map<unsigned, std::string> names;
  for (const model::Pass& pass : schedule.passes) {
    for (const model::PortUse& use : pass.uses) {
      if (names.count(use.port) == 0) names[use.port] = network.port_name(use.port);
    }
  }
  return names;
}

}  // namespace

std::vector<ExplainedRoute> routes_of(const isa::LaneMap& map, const model::NetworkChoice& choice,
                                      const std::vector<std::string>& networks) {
  std::vector<ExplainedRoute> routes;
  for (const std::string& name : networks) {
    const auto network = choice.make(name, kLanes);
    ExplainedRoute route;
    route.network = name;
    route.schedule = network->route(map);
    route.cost = network->cost();
    if (!network->wiring().outputs().empty())
      route.energy = model::shuffle_energy(route.cost, choice.technology(), kLanes,
                                           route.schedule.pass_count());
    route.collisions = collisions_of(*network, route.schedule);
    route.port_names = names_of_used(*network, route.schedule);
    routes.push_back(std::move(route));
  }
  return routes;
}

std::string segments_text(const ExplainedShuffle& shuffle) {
  uint32_t sc = 0;
  if (shuffle.map.executing == 0) return "no lane executes";
  if (!uniform_sc(shuffle, &sc)) return "Sc differs from lane to lane";
  const unsigned width = segment_width(sc);
  if (width == 0) return fmt::format("lane bits 0x{:02x} say which", segment_mask(sc));
  return width == kLanes ? "1 of 32 lanes" : fmt::format("{} of {} lanes", kLanes / width, width);
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
  const unsigned inside = width - 1;  // the lane bits that the clamp refers to
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

std::string word_digits(const isa::Instruction& shfl) {
  return isa::family_of(shfl.arch) == isa::Family::kMaxwell
             ? fmt::format("{:016x}", shfl.word.low)
             : fmt::format("{:016x}{:016x}", shfl.word.high, shfl.word.low);
}

}  // namespace shflsim::report
