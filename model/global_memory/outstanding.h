// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <deque>

#include "model/core/cycle.h"

namespace shflsim::model {

/// What an SM has sent to the L2, which has yet to take it: sectors that are written, and atomics.
/// As many as `most` of them are on the way or wait at a slice; warps exit and go on meanwhile.
class Outstanding {
 public:
  explicit Outstanding(uint32_t most) : most_(most) {}

  /// `count` more, which the L2 takes at `taken`. Returns the cycle in which no more than `most`
  /// are outstanding.
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

}  // namespace shflsim::model
