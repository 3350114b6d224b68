// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <set>

#include "model/core/cycle.h"

namespace shflsim::model {

/// The passes of a unit that serves one at a time, each for some cycles. A pass may be booked for
/// later, and a later caller may take a gap before it.
class PassCalendar {
 public:
  explicit PassCalendar(uint32_t cycles) : cycles_(cycles) {}

  /// Books a pass at `earliest`, or at the first time after it at which the unit is free. Returns
  /// its start.
  Cycle book(Cycle earliest) {
    Cycle start = earliest;
    for (auto next = starts_.upper_bound(start < cycles_ ? 0 : start - cycles_);
         next != starts_.end() && *next < start + cycles_; ++next)
      start = *next + cycles_;
    starts_.insert(start);
    return start;
  }
  /// Forgets the passes that are over.
  void forget(Cycle now) {
    while (!starts_.empty() && *starts_.begin() + cycles_ <= now) starts_.erase(starts_.begin());
  }

 private:
  const Cycle cycles_;
  std::set<Cycle> starts_;
};

}  // namespace shflsim::model
