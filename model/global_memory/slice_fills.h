// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

#include "model/core/cycle.h"
#include "model/core/sorted_queue.h"

namespace shflsim::model {

/// Data that arrive at a slice of the L2 from the DRAM or from the other half, and that the slice
/// writes.
class SliceFills {
 public:
  void add(Cycle comes, uint64_t tenths) { coming_.push({comes, tenths}); }
  /// Passes all data that have arrived by `now` to `write`, which takes their tenths of requests
  /// and the cycle of their arrival, and returns the cycles for which the data waited.
  template <class Write>
  void take(Cycle now, Write write) {
    for (; coming_.next() <= now; coming_.pop()) {
      const Fill& fill = coming_.front();
      written_.push_back({fill.cycle, write(fill.tenths, fill.cycle)});
      if (written_.front().came + kKept < now) written_.pop_front();
    }
  }
  /// Cycles for which the data that arrived in this cycle have waited.
  Cycle waited(Cycle came) const {
    const auto is_before = [](const Written& written, Cycle cycle) { return written.came < cycle; };
    const auto found = std::lower_bound(written_.begin(), written_.end(), came, is_before);
    return found == written_.end() ? 0 : found->waited;
  }

 private:
  static constexpr Cycle kKept = 8192;  ///< assumed: longer than data wait
  struct Fill {
    Cycle cycle = 0;      ///< in which the data come
    uint64_t tenths = 0;  ///< of requests
  };
  struct Written {
    Cycle came = 0;
    Cycle waited = 0;
  };

  SortedQueue<Fill> coming_;
  std::deque<Written> written_;  ///< in order of `came`
};

}  // namespace shflsim::model
