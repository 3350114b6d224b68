// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "isa/lanes/lane_bits.h"
#include "isa/lanes/lane_map.h"

namespace shflsim::isa {

/// The share of bits that toggle on an SM, by instruction. A pipe of 16 lanes executes a warp in
/// two halves, so lanes that are 16 apart use the same wires one after another, and so do
/// successive instructions of any warps. Both pairs are compared in a sample of the executed
/// instructions, about one in 24, after ask() has been called.
class BitActivity {
 public:
  explicit BitActivity(size_t instructions) : seen_(instructions) {}

  /// Starts sampling; SMs sample at different instructions.
  void ask(uint32_t sm = 0) {
    state_ = static_cast<uint8_t>(1 + 37 * sm);
    left_ = 1 + sm % 24;
  }
  /// True if the next executed instruction is in the sample.
  bool is_due() {
    if (--left_ != 0) return false;
    state_ = static_cast<uint8_t>(state_ * 5 + 3);
    left_ = 16u + (state_ >> 4);
    return true;
  }
  /// Samples a register of the instruction with this index: the register's place among the sampled
  /// ones, and its values in the executing lanes.
  void note(uint32_t index, unsigned place, const uint32_t* values, LaneMask lanes);
  /// Adds what another SM has sampled.
  void add(const BitActivity& other);
  /// Fraction of the bits of the instruction's registers that toggle; below 0 without a sample.
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
    uint64_t lanes = 0;     ///< lanes of this instruction and of the previous one
    uint64_t in_lanes = 0;
  };

  /// Bits in which the words of two rows differ, in these lanes.
  template <unsigned kWords>
  static uint32_t differing(const uint32_t* one, const uint32_t* other, LaneMask lanes);
  static uint64_t number_of(LaneMask lanes) {
    return static_cast<uint64_t>(__builtin_popcount(lanes));
  }
  static double share(uint64_t bits, uint64_t words) {
    constexpr double kWordBits = 32;
    return words == 0 ? -1 : static_cast<double>(bits) / (static_cast<double>(words) * kWordBits);
  }

  std::vector<Seen> seen_;
  std::array<std::array<uint32_t, kLanes>, kMostRegisters> last_{};
  uint8_t state_ = 1;
  uint64_t left_ = std::numeric_limits<uint64_t>::max();  ///< not asked for
};

/// Counts the bits of all words in parallel, as sums of ever wider fields.
template <unsigned kWords>
uint32_t BitActivity::differing(const uint32_t* one, const uint32_t* other, LaneMask lanes) {
  std::array<uint32_t, kWords> counts;
  for (unsigned i = 0; i < kWords; ++i) {
    uint32_t bits = (one[i] ^ other[i]) & (bit_of(lanes, i) ? ~uint32_t{0} : 0);
    bits -= bits >> 1 & 0x55555555;
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F;
    counts[i] = bits + (bits >> 8);
  }
  uint32_t sum = 0;
  for (const uint32_t count : counts) sum += count & 0x00FF00FF;
  return (sum & 0xFFFF) + (sum >> 16);
}

inline void BitActivity::note(uint32_t index, unsigned place, const uint32_t* values,
                              LaneMask lanes) {
  constexpr unsigned kHalf = kLanes / 2;
  const LaneMask both = lanes & (lanes >> kHalf);
  Seen& seen = seen_[index];
  std::array<uint32_t, kLanes>& last = last_[place];
  seen.pairs += number_of(both);
  seen.in_pairs += differing<kHalf>(values, values + kHalf, both);
  seen.lanes += number_of(lanes);
  seen.in_lanes += differing<kLanes>(values, last.data(), lanes);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    last[lane] = bit_of(lanes, lane) ? values[lane] : last[lane];
}

inline void BitActivity::add(const BitActivity& other) {
  for (size_t i = 0; i < seen_.size(); ++i) {
    seen_[i].pairs += other.seen_[i].pairs;
    seen_[i].in_pairs += other.seen_[i].in_pairs;
    seen_[i].lanes += other.seen_[i].lanes;
    seen_[i].in_lanes += other.seen_[i].in_lanes;
  }
}

}  // namespace shflsim::isa
