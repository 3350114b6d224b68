// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "model/core/cycle.h"

namespace shflsim::model {

/// The flushes that the fences of an SM wait for. A flush covers the accesses of all warps since
/// the last fence. A fence that issues during a flush continues a little after the end of the
/// flush, or waits for the next flush if the SM has accessed memory in between (measured:
/// fence_history.txt.gz of tests/data/h200/2026-11-29).
class Flushes {
 public:
  /// `apart`: cycles from the end of a flush until fences that issued during the flush continue.
  explicit Flushes(Cycle apart) : apart_(apart) {}

  /// Cycles until a fence that issues at `now` continues. `takes`: cycles of a flush for the SM's
  /// accesses since the last call; 0: there are none.
  Cycle until_done(Cycle now, Cycle takes) {
    if (takes != 0) {
      const bool joins = free_ != 0 && now <= begun_ + kJoins;
      if (!joins) begun_ = std::max(now, free_);
      done_ = std::max(joins ? done_ : 0, std::max(begun_, now) + takes);
      free_ = done_ + apart_;
    }
    if (now >= free_) return 0;
    return (now <= begun_ + kTogether ? done_ : free_) - now;
  }

 private:
  /// Cycles from the begin of a flush in which the flush still includes new accesses (measured:
  /// fence_steps.txt.gz, alone 2, 66 but not 130 cycles apart).
  static constexpr Cycle kJoins = 14;
  /// Cycles from the begin of a flush in which further fences continue with the first one
  /// (measured: fence_history.txt.gz, many: 13 but not 66).
  static constexpr Cycle kTogether = 14;

  const Cycle apart_;
  Cycle begun_ = 0;  ///< the last flush
  Cycle done_ = 0;
  Cycle free_ = 0;  ///< 0: there was none
};

}  // namespace shflsim::model
