// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/core/cycle.h"

namespace shflsim::model {

/// The times of the SMs for atomics on shared memory of a cluster, by block. Atomics that a block
/// sends and atomics that others send it take turns (measured: sums_there of
/// scripts/lab/hw/asynchronous). Calls must be in order of time.
class ClusterWays {
 public:
  struct Times {
    Cycle sent = 0;
    Cycle done = 0;
  };
  /// Atomics of block `own` in the memory of `other`, with their hundredths of cycles in each.
  Times pass(size_t own, size_t other, uint64_t here, uint64_t there, Cycle now) {
    Times times;
    times.sent = pass(own, here, now);
    times.done = std::max(times.sent, pass(other, there, now));
    return times;
  }

 private:
  Cycle pass(size_t block, uint64_t hundredths, Cycle now) {
    constexpr uint64_t kHundred = 100;
    if (block >= free_.size()) free_.resize(block + 1);
    free_[block] = std::max(free_[block], now * kHundred) + hundredths;
    return free_[block] / kHundred;
  }

  std::vector<uint64_t> free_;  ///< by block: when its SM is free for them, in hundredths of cycles
};

}  // namespace shflsim::model
