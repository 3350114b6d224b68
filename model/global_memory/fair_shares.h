// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace shflsim::model {

/// Divides the time of a server equally among those who wait for it. Times are in any unit.
class FairShares {
 public:
  explicit FairShares(size_t askers = 1) : done_(askers) {}

  size_t askers() const { return done_.size(); }
  /// When the requests of `who` so far are done.
  uint64_t done(size_t who) const { return done_[who]; }
  /// Returns when a request of `who` is done that arrives at `now` and takes `time` if nobody else
  /// waits.
  uint64_t serve(size_t who, uint64_t time, uint64_t now) {
    uint64_t& own = done_[who];
    own = std::max(own, now);
    const uint64_t others = waiting(now) - (own > now ? 1 : 0);
    own += time * (1 + others);
    return own;
  }

 private:
  uint64_t waiting(uint64_t now) const {
    uint64_t count = 0;
    for (const uint64_t done : done_) count += done > now ? 1 : 0;
    return count;
  }

  std::vector<uint64_t> done_;  ///< by asker: when its requests so far are done
};

/// The same without loss: who needs less than an equal share leaves the rest to the others.
class FairQueue {
 public:
  explicit FairQueue(size_t askers = 1) : ends_(askers) {}

  /// Returns when a request of `who` is done that arrives at `now` and takes `time` if nobody else
  /// waits, and if no other comes later.
  uint64_t serve(size_t who, uint64_t time, uint64_t now) {
    advance(now);
    uint64_t& own = ends_[who];
    own = std::max(own, share_) + time * kParts;
    uint64_t work = 0;  // until the own work is done
    for (const uint64_t end : ends_) work += std::clamp(end, share_, own) - share_;
    return std::max(now, now_) + (work + kParts - 1) / kParts;
  }

 private:
  static constexpr uint64_t kParts = 64;  ///< of a unit of time

  /// Serves those who wait until `now`.
  void advance(uint64_t now) {
    while (now_ < now) {
      uint64_t waiting = 0;
      uint64_t next = ~uint64_t{0};  // least end of those who wait
      for (const uint64_t end : ends_) {
        if (end <= share_) continue;
        ++waiting;
        next = std::min(next, end);
      }
      const uint64_t left = (now - now_) * kParts;
      if (waiting == 0 || (next - share_) * waiting >= left) {
        if (waiting != 0) share_ += left / waiting;
        now_ = now;
      } else {
        now_ += (next - share_) * waiting / kParts;
        share_ = next;
      }
    }
  }

  std::vector<uint64_t> ends_;  ///< by asker: share_ when its requests so far are done
  uint64_t share_ = 0;          ///< parts that each of those who wait has been served
  uint64_t now_ = 0;
};

}  // namespace shflsim::model
