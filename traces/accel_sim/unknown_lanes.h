// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>

#include "isa/lanes/lane_map.h"
#include "traces/accel_sim/traceg_instruction.h"

namespace shflsim::traces {

/// What a SHFL is taken to move where the trace does not say.
class UnknownLanes {
 public:
  /// "identity": each lane its own value. "xor": butterflies of 16, 8, 4, 2, 1 lanes in turn.
  /// "random:SEED": any executing lane for each lane. "worst": bit reversal, the permutation that
  /// networks of 2x2 switches block most. Throws InputError for anything else.
  explicit UnknownLanes(const std::string& text);

  const std::string& text() const { return text_; }
  /// Whether the map follows from the executing lanes alone.
  bool repeats() const { return kind_ == Kind::kIdentity || kind_ == Kind::kWorst; }
  /// Of the warp's `count`-th such SHFL, from 0. No lane reads from one that does not execute.
  isa::LaneMap map(isa::LaneMask executing, uint64_t count);

 private:
  enum class Kind : uint8_t { kIdentity, kXor, kRandom, kWorst };
  uint8_t source(unsigned lane, isa::LaneMask executing, uint64_t count);

  std::string text_;
  Kind kind_ = Kind::kIdentity;
  std::mt19937_64 random_;
};

/// What a tracer keeps of a SHFL. Up to version 5 it drops the predicate and counts the destination
/// among the sources; of two immediates it keeps the last. Version 6 has both.
struct TracedShuffle {
  uint8_t destination = isa::kRZ;
  std::vector<uint8_t> sources;
  isa::ShuffleMode mode = isa::ShuffleMode::kIdx;
  /// Index and clamp, where both are RZ or an immediate that is there: then the lanes are known.
  /// `SHFL.UP PT, R1, R2, 0x4, RZ` is such a one in each version.
  struct Operands {
    uint32_t index = 0;
    uint32_t clamp = 0;
  };
  std::optional<Operands> operands;
};

bool is_shuffle(const TracegInstruction& instruction);
/// Of a SHFL's opcode; none if it has none ("SHFL.SIDE").
std::optional<isa::ShuffleMode> mode_in(const std::string& opcode);
/// Of a SHFL with a mode.
TracedShuffle traced_shuffle(const TracegInstruction& instruction);

}  // namespace shflsim::traces
