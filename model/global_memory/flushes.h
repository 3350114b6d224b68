// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "model/core/cycle.h"

namespace shflsim::model {

/// What the fences of an SM wait for before they go on: its accesses since the last fence, of all
/// warps. A flush for them takes a time; those that come while it is under way wait a little longer
/// for its end, or for the next one if the SM has accessed memory meanwhile (measured:
/// history.csv.gz of tests/data/h200/2026-11-29).
class Flushes {
 public:
  /// `apart`: cycles from the end of a flush until those go on that came during it.
  explicit Flushes(Cycle apart) : apart_(apart) {}

  /// Cycles until a fence that issues at `now` goes on. `takes`: of a flush for the SM's accesses
  /// since the last call; 0: there are none.
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
  /// Accesses until then are among those that the flush waits for (measured: fence_steps.txt.gz,
  /// alone 2, 66 but not 130 cycles apart).
  static constexpr Cycle kJoins = 14;
  /// Fences until then go on with the first one (measured: history.csv.gz, many, 13 but not 66).
  static constexpr Cycle kTogether = 14;

  const Cycle apart_;
  Cycle begun_ = 0;  ///< the last flush
  Cycle done_ = 0;
  Cycle free_ = 0;  ///< 0: there was none
};

}  // namespace shflsim::model
