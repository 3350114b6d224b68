// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/core/cycle.h"

namespace shflsim::model {

/// Rows of 128 bytes that hold the words of stores until they have left the SM.
class StoreRows {
 public:
  explicit StoreRows(uint32_t rows) : left_(rows) {}

  bool is_limit() const { return !left_.empty(); }
  /// Adds a store of `bytes` per lane that leaves at `end`. Returns when there is room for it.
  Cycle add(uint32_t bytes, Cycle end) {
    constexpr uint32_t kWord = 4;  // bytes per lane, 128 per warp
    Cycle room = 0;
    for (uint32_t i = 0; i < std::max(1u, bytes / kWord); ++i) {
      room = std::max(room, left_[oldest_]);
      left_[oldest_] = end;
      oldest_ = (oldest_ + 1) % left_.size();
    }
    return room;
  }

 private:
  std::vector<Cycle> left_;  ///< when each row is free; a circular buffer
  size_t oldest_ = 0;
};

/// Decides when fences leave the SM: together, or an interval apart.
class FenceGate {
 public:
  /// `interval`: cycles between fences that leave; 0: each fence leaves at once.
  explicit FenceGate(uint32_t interval) : interval_(interval) {}

  /// Returns the cycles until a fence that issues at `now` leaves. Fences that issue while another
  /// waits to leave, or has just left, leave with it.
  Cycle until_left(Cycle now) {
    if (interval_ == 0) return 0;
    if (!has_any_ || now > left_ + kTogether)
      left_ = has_any_ ? std::max(now, left_ + interval_) : now;
    has_any_ = true;
    return std::max(now, left_) - now;
  }

 private:
  /// Fences that issue at most this many cycles after another leaves leave with it (measured:
  /// fences_1, all of 8 warps that a barrier releases two cycles apart, eight of 16).
  static constexpr Cycle kTogether = 14;

  const Cycle interval_;
  Cycle left_ = 0;  ///< when the last fence leaves
  bool has_any_ = false;
};

}  // namespace shflsim::model
