// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/lanes/lane_bits.h"
#include "isa/lanes/lane_map.h"

namespace shflsim::isa {

/// How many bits of the values in a launch toggle, by instruction. A pipe of 16 lanes executes a
/// warp in two halves, so lanes that are 16 apart follow one another on the same wires; and an
/// instruction follows another one, of some warp. Both are compared, in a sample of the executed
/// instructions, about one in 24.
class BitActivity {
 public:
  explicit BitActivity(size_t instructions) : seen_(instructions) {}

  /// Whether the next executed instruction is in the sample.
  bool is_due() {
    if (--left_ != 0) return false;
    state_ = static_cast<uint8_t>(state_ * 5 + 3);
    left_ = 16 + (state_ >> 4);
    return true;
  }
  /// A register of the instruction with this index: its place among those looked at, and what the
  /// executing lanes have in it.
  void note(uint32_t index, unsigned place, const uint32_t* values, LaneMask lanes);
  /// Fraction of the bits of its registers that toggle; below 0 where there was no sample.
  double of(uint32_t index) const {
    const Seen& seen = seen_[index];
    if (seen.pairs == 0) return share(seen.in_lanes, seen.lanes);
    return (share(seen.in_pairs, seen.pairs) + share(seen.in_lanes, seen.lanes)) / 2;
  }

  static constexpr unsigned kMostRegisters = 4;

 private:
  struct Seen {
    uint64_t pairs = 0;     ///< lanes 16 apart
    uint64_t in_pairs = 0;  ///< bits that differ
    uint64_t lanes = 0;     ///< lanes of this instruction and of the one before
    uint64_t in_lanes = 0;
  };

  static unsigned differing(uint32_t one, uint32_t other) {
    return static_cast<unsigned>(__builtin_popcount(one ^ other));
  }
  static double share(uint64_t bits, uint64_t words) {
    constexpr double kWordBits = 32;
    return words == 0 ? -1 : static_cast<double>(bits) / (static_cast<double>(words) * kWordBits);
  }

  std::vector<Seen> seen_;
  std::array<std::array<uint32_t, kLanes>, kMostRegisters> last_{};
  uint8_t state_ = 1;
  unsigned left_ = 1;
};

inline void BitActivity::note(uint32_t index, unsigned place, const uint32_t* values,
                              LaneMask lanes) {
  constexpr unsigned kHalf = kLanes / 2;
  const LaneMask both = lanes & (lanes >> kHalf);
  Seen& seen = seen_[index];
  std::array<uint32_t, kLanes>& last = last_[place];
  for (unsigned lane = 0; lane < kHalf; ++lane) {
    if (!bit_of(both, lane)) continue;
    ++seen.pairs;
    seen.in_pairs += differing(values[lane], values[lane + kHalf]);
  }
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!bit_of(lanes, lane)) continue;
    ++seen.lanes;
    seen.in_lanes += differing(values[lane], last[lane]);
    last[lane] = values[lane];
  }
}

}  // namespace shflsim::isa
