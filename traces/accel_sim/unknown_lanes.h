// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>

#include "isa/lanes/lane_map.h"
#include "traces/accel_sim/traceg_instruction.h"

namespace shflsim::traces {

/// The lane map that a SHFL is assumed to have if the trace does not say.
class UnknownLanes {
 public:
  /// "identity": each lane keeps its value. "xor": butterflies over 16, 8, 4, 2, 1 lanes in turn.
  /// "random:SEED": each lane reads a random executing lane. "worst": bit reversal, the permutation
  /// that blocks networks of 2x2 switches most. Throws InputError for other texts.
  explicit UnknownLanes(const std::string& text);

  const std::string& text() const { return text_; }
  /// True if the map depends only on the executing lanes.
  bool repeats() const { return kind_ == Kind::kIdentity || kind_ == Kind::kWorst; }
  /// The map of the warp's `count`-th such SHFL, from 0. Lanes read only from executing lanes.
  isa::LaneMap map(isa::LaneMask executing, uint64_t count);

 private:
  enum class Kind : uint8_t { kIdentity, kXor, kRandom, kWorst };
  uint8_t source(unsigned lane, isa::LaneMask executing, uint64_t count);

  std::string text_;
  Kind kind_ = Kind::kIdentity;
  std::mt19937_64 random_;
};

/// What a trace has of a SHFL. Up to version 5 the tracer drops the predicate, lists the
/// destination among the sources, and keeps only the last of two immediates. Version 6 has both.
struct TracedShuffle {
  uint8_t destination = isa::kRZ;
  std::vector<uint8_t> sources;
  isa::ShuffleMode mode = isa::ShuffleMode::kIdx;
  /// Index and clamp, if each is RZ or a traced immediate: then the lanes are known. This is so for
  /// `SHFL.UP PT, R1, R2, 0x4, RZ` in all versions.
  struct Operands {
    uint32_t index = 0;
    uint32_t clamp = 0;
  };
  std::optional<Operands> operands;
};

bool is_shuffle(const TracegInstruction& instruction);
/// The mode in a SHFL's opcode; none if it has none ("SHFL.SIDE").
std::optional<isa::ShuffleMode> mode_in(const std::string& opcode);
/// The instruction must be a SHFL with a mode.
TracedShuffle traced_shuffle(const TracegInstruction& instruction);

}  // namespace shflsim::traces
