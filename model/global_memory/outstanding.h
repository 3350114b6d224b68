// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <deque>

#include "model/core/cycle.h"

namespace shflsim::model {

/// The written sectors and atomics that an SM has sent to the L2 and the L2 has not yet accepted.
/// At most `most` of them are in flight or wait at a slice; warps may exit or continue before they
/// are accepted.
class Outstanding {
 public:
  explicit Outstanding(uint32_t most) : most_(most) {}

  /// Adds `count`, which the L2 accepts at `taken`. Returns the cycle from which at most `most` are
  /// outstanding.
  Cycle add(uint32_t count, Cycle taken) {
    sent_.push_back({count, taken});
    count_ += count;
    while (count_ > most_ && !sent_.empty()) {
      room_ = std::max(room_, sent_.front().taken);
      count_ -= sent_.front().count;
      sent_.pop_front();
    }
    return room_;
  }

 private:
  struct Sent {
    uint32_t count;
    Cycle taken;
  };
  const uint64_t most_;
  std::deque<Sent> sent_;
  uint64_t count_ = 0;
  Cycle room_ = 0;
};

/// Accesses that wait in the L1 behind atomics that cannot leave the SM.
class BlockedAccesses {
 public:
  explicit BlockedAccesses(uint32_t most) : waiting_(most) {}

  /// The atomics so far cannot leave before this cycle.
  void block_until(Cycle left) { left_ = std::max(left_, left); }
  /// First cycle in which the L1 serves an access that arrives at `now`.
  Cycle served_from(Cycle now) const { return std::max(now, left_); }
  /// Adds an access that arrives at `now`. Returns the cycle from which the L1 accepts the next.
  Cycle add(Cycle now) { return left_ > now ? waiting_.add(1, left_) : now; }

 private:
  Outstanding waiting_;
  Cycle left_ = 0;
};

}  // namespace shflsim::model
