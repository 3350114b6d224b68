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

}  // namespace shflsim::model
