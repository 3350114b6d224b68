// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace shflsim::isa {

constexpr unsigned kMostMoveLanes = 64;
using WideMask = uint64_t;  ///< bit i: lane i of up to 64

inline WideMask all_lanes_of(unsigned lanes) { return ~WideMask{0} >> (kMostMoveLanes - lanes); }
inline bool has_bit(WideMask mask, unsigned lane) { return (mask >> lane & 1) != 0; }

/// What a lane of a result receives.
struct LaneSource {
  enum class Kind : uint8_t {
    kOld,        ///< what the result's register held: the lane is not written
    kLane,       ///< the value of `lane` in operand `operand`
    kZero,       ///< 0
    kUndefined,  ///< any value: the machine or its manual promises none
  };
  Kind kind = Kind::kOld;
  uint8_t operand = 0;
  uint8_t lane = 0;

  static LaneSource of(unsigned lane, unsigned operand = 0) {
    return {Kind::kLane, static_cast<uint8_t>(operand), static_cast<uint8_t>(lane)};
  }
  static LaneSource zero() { return {Kind::kZero, 0, 0}; }
  static LaneSource undefined() { return {Kind::kUndefined, 0, 0}; }

  bool is_lane() const { return kind == Kind::kLane; }
  bool operator==(const LaneSource& other) const {
    return kind == other.kind && operand == other.operand && lane == other.lane;
  }
};

using LaneSources = std::array<LaneSource, kMostMoveLanes>;

/// What one lane instruction of any machine moves: N lanes of one or two operands to N lanes of one
/// or two results. SHFL is the case of 32 lanes, one operand and one result. The lanes beyond
/// `lanes` stay kOld.
struct LaneMove {
  unsigned lanes = 32;    ///< 4 to 64, a power of two
  unsigned results = 1;   ///< 1 or 2
  unsigned operands = 1;  ///< 1 or 2
  unsigned bits = 32;     ///< bits of a value: 32, or 16 if halves of a register move
  std::array<LaneSources, 2> source;

  explicit LaneMove(unsigned its_lanes = 32) : lanes(its_lanes) {}
  /// The lanes that result `result` writes.
  WideMask written(unsigned result = 0) const;
  /// The lanes of result `result` that receive some lane's value of operand `operand`.
  WideMask served(unsigned result, unsigned operand) const;
  /// True if each lane has the source that `wanted` has, or `wanted` leaves the lane undefined.
  bool does(const LaneMove& wanted) const;
  bool operator==(const LaneMove& other) const;
};

/// `first` followed by `second`, which writes into the register of `first`'s result. If `chained`,
/// `second` also reads that register; else it reads what `first` read. Both have one operand.
LaneMove after(const LaneMove& first, const LaneMove& second, bool chained);

}  // namespace shflsim::isa
