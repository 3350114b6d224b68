// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <queue>
#include <vector>

#include "model/core/cycle.h"

namespace shflsim::model {

/// Loads that the L1 has accepted and whose data has not returned. At most `most` are in flight,
/// whatever their lines and sectors (measured: in_flight.csv.gz of tests/data/h200/2026-11-30, 32
/// warps with loads of one line: 564 have issued when the first data returns from the DRAM, about
/// 50 of which wait in the MIO).
class LoadsInFlight {
 public:
  /// `most`, 0: no limit.
  explicit LoadsInFlight(uint32_t most) : most_(most) {}

  /// Adds a load that the L1 accepts at `now` and whose data returns at `ready`. Returns the cycle
  /// from which the L1 accepts another.
  Cycle add(Cycle now, Cycle ready) {
    if (most_ == 0) return now;
    while (!ready_.empty() && ready_.top() <= now) ready_.pop();
    ready_.push(ready);
    return ready_.size() < most_ ? now : ready_.top();
  }

 private:
  const uint32_t most_;
  std::priority_queue<Cycle, std::vector<Cycle>, std::greater<>> ready_;
};

}  // namespace shflsim::model
