// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>

#include "model/core/cycle.h"

namespace shflsim::model {

/// Decides when fences leave the SM: together, or an interval apart.
class FenceGate {
 public:
  /// `interval`: cycles between fences that leave; 0: each fence leaves at once.
  explicit FenceGate(Cycle interval) : interval_(interval) {}

  /// Returns the cycles until a fence that issues at `now` leaves. Fences that issue while another
  /// waits to leave, or has just left, leave with it.
  Cycle until_left(Cycle now) {
    if (interval_ == 0) return 0;
    if (!has_any_ || now > left_ + kTogether)
      left_ = has_any_ ? std::max(now, left_ + interval_) : now;
    has_any_ = true;
    return std::max(now, left_) - now;
  }
  /// True for the first of the fences that leave together.
  bool is_new() { return interval_ == 0 || std::exchange(known_, left_ + 1) != left_ + 1; }

 private:
  /// Fences that issue at most this many cycles after another leaves leave with it (measured:
  /// fences_1, all of 8 warps that a barrier releases two cycles apart, eight of 16).
  static constexpr Cycle kTogether = 14;

  const Cycle interval_;
  Cycle left_ = 0;   ///< when the last fence leaves
  Cycle known_ = 0;  ///< is_new() was asked for the fence that leaves a cycle before; 0: never
  bool has_any_ = false;
};

}  // namespace shflsim::model
