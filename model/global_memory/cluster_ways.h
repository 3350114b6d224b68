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
  /// Hundredths of cycles of atomics: of the sending SM and of the other one, and the least that
  /// their steps on one word take in each, which leaves time for atomics of others.
  struct Hundredths {
    uint64_t here = 0;
    uint64_t there = 0;
    uint64_t word_here = 0;
    uint64_t word_there = 0;
  };
  /// Atomics of block `own` in the memory of `other`.
  Times pass(size_t own, size_t other, const Hundredths& takes, Cycle now) {
    Times times;
    times.sent =
        std::max(pass(&free_, own, takes.here, now), pass(&sent_, own, takes.word_here, now));
    const Cycle done =
        std::max(pass(&free_, other, takes.there, now), pass(&made_, other, takes.word_there, now));
    times.done = std::max(times.sent, done);
    return times;
  }
  /// Words that arrive at the memory of `block`: when they are there.
  Cycle receive(size_t block, uint64_t cycles, Cycle arrives) {
    if (block >= received_.size()) received_.resize(block + 1);
    return received_[block] = std::max(received_[block], arrives) + cycles;
  }

 private:
  using Ends = std::vector<uint64_t>;  ///< by block, in hundredths of cycles

  static Cycle pass(Ends* ends, size_t block, uint64_t hundredths, Cycle now) {
    constexpr uint64_t kHundred = 100;
    if (block >= ends->size()) ends->resize(block + 1);
    uint64_t& end = (*ends)[block];
    end = std::max(end, now * kHundred) + hundredths;
    return end / kHundred;
  }

  std::vector<Cycle> received_;  ///< by block: when all words sent to it are there
  Ends free_;                    ///< when its SM is free for atomics
  Ends sent_;                    ///< when the steps that it sends are over
  Ends made_;                    ///< when the steps in its memory are over
};

}  // namespace shflsim::model
