// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/unknown_lanes.h"

#include <algorithm>
#include <charconv>

#include "isa/base/input_error.h"
#include "isa/codec/instruction.h"

namespace shflsim::traces {
namespace {

constexpr unsigned kLaneBits = 5;

unsigned bit_reversed(unsigned lane) {
  unsigned reversed = 0;
  for (unsigned bit = 0; bit < kLaneBits; ++bit)
    reversed |= ((lane >> bit) & 1u) << (kLaneBits - 1 - bit);
  return reversed;
}

/// The lane of the n-th set bit.
unsigned nth_lane(isa::LaneMask lanes, unsigned n) {
  for (; n > 0; --n) lanes &= lanes - 1;
  return static_cast<unsigned>(__builtin_ctz(lanes));
}

}  // namespace

UnknownLanes::UnknownLanes(const std::string& text) : text_(text) {
  const std::string random = "random:";
  if (text == "xor") kind_ = Kind::kXor;
  if (text == "worst") kind_ = Kind::kWorst;
  if (text.rfind(random, 0) == 0) {
    uint64_t seed = 0;
    const char* const first = text.data() + random.size();
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(first, last, seed);
    if (error != std::errc() || end != last)
      throw InputError("--unknown-lanes '" + text + "'; expected a whole number behind random:");
    kind_ = Kind::kRandom;
    random_.seed(seed);
  }
  if (kind_ == Kind::kIdentity && text != "identity")
    throw InputError("--unknown-lanes '" + text + "'" +
                     suggestion(text, {"identity", "xor", "random:SEED", "worst"}));
}

uint8_t UnknownLanes::source(unsigned lane, isa::LaneMask executing, uint64_t count) {
  switch (kind_) {
    case Kind::kIdentity: return static_cast<uint8_t>(lane);
    case Kind::kXor:
      return static_cast<uint8_t>(lane ^ (1u << (kLaneBits - 1 - count % kLaneBits)));
    case Kind::kWorst: return static_cast<uint8_t>(bit_reversed(lane));
    case Kind::kRandom: break;
  }
  const auto lanes = static_cast<uint64_t>(__builtin_popcount(executing));
  return static_cast<uint8_t>(nth_lane(executing, static_cast<unsigned>(random_() % lanes)));
}

isa::LaneMap UnknownLanes::map(isa::LaneMask executing, uint64_t count) {
  isa::LaneMap map;
  map.executing = executing;
  map.in_range = isa::kAllLanes;
  for (unsigned lane = 0; lane < isa::kLanes; ++lane) {
    const uint8_t chosen = executing == 0 ? 0 : source(lane, executing, count);
    const bool executes = ((executing >> chosen) & 1u) != 0;
    map.source[lane] = executes ? chosen : static_cast<uint8_t>(lane);
  }
  return map;
}

bool is_shuffle(const TracegInstruction& instruction) {
  return instruction.opcode.substr(0, instruction.opcode.find('.')) == "SHFL";
}

std::optional<isa::ShuffleMode> mode_in(const std::string& opcode) {
  static const char* const modes[] = {"IDX", "UP", "DOWN", "BFLY"};
  const size_t dot = opcode.find('.');
  const std::string name = dot == std::string::npos ? "" : opcode.substr(dot + 1);
  const auto mode = std::find(std::begin(modes), std::end(modes), name.substr(0, name.find('.')));
  if (mode == std::end(modes)) return std::nullopt;
  return static_cast<isa::ShuffleMode>(mode - std::begin(modes));
}

namespace {

/// Index and clamp; `registers` are the general ones: destination, value, then index and clamp.
std::optional<TracedShuffle::Operands> operands_of(const TracegInstruction& instruction,
                                                   isa::ShuffleMode mode,
                                                   const std::vector<uint8_t>& registers) {
  using Operands = TracedShuffle::Operands;
  const auto first = static_cast<uint32_t>(instruction.immediate[0]);
  const auto second = static_cast<uint32_t>(instruction.immediate[1]);
  const bool both_are_zero =
      registers.size() == 4 && registers[2] == isa::kRZ && registers[3] == isa::kRZ;
  if (both_are_zero) return Operands{0, 0};
  if (registers.size() == 2 && instruction.immediates == 2) return Operands{first, second};
  const bool one_is_zero = registers.size() == 3 && registers[2] == isa::kRZ;
  if (!one_is_zero || instruction.immediates == 0) return std::nullopt;
  // A clamp of RZ makes sense only for .UP, and an offset has the five bits of a clamp.
  const bool clamp_is_zero = mode == isa::ShuffleMode::kUp && first <= isa::kWidestClamp;
  return clamp_is_zero ? Operands{first, 0} : Operands{0, first};
}

}  // namespace

TracedShuffle traced_shuffle(const TracegInstruction& instruction) {
  TracedShuffle shuffle;
  shuffle.mode = mode_in(instruction.opcode).value();

  std::vector<uint8_t> registers;
  bool has_uniform = false;
  for (const TracedRegisters* each : {&instruction.destinations, &instruction.sources}) {
    for (const TracedRegister& one : *each) {
      if (one.is_general()) registers.push_back(one.index);
      has_uniform |= one.file == RegisterFile::kUniform;
    }
  }
  if (registers.empty()) return shuffle;
  shuffle.destination = registers.front();
  shuffle.sources.assign(registers.begin() + 1, registers.end());
  if (!has_uniform) shuffle.operands = operands_of(instruction, shuffle.mode, registers);
  return shuffle;
}

}  // namespace shflsim::traces
