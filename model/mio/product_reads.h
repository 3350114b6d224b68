// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <deque>
#include <utility>

#include "model/core/cycle.h"

namespace shflsim::model {

/// When the matrix units read shared memory for products of warp groups. An access begins before or
/// behind a read, or in its first cycle: between two reads that follow each other there is one turn
/// for others (measured: shares.csv.gz of tests/data/h200/2026-11-30).
class ProductReads {
 public:
  void add(Cycle begin, Cycle end) {
    if (begin != end) reads_.emplace_back(begin, end);
  }
  /// First cycle from `now` on in which an access may begin.
  Cycle open_from(Cycle now) const {
    for (const auto& [begin, end] : reads_) {
      if (now <= begin) break;
      if (now < end) return end;
    }
    return now;
  }
  /// Forgets what has ended by `now`.
  void forget(Cycle now) {
    while (!reads_.empty() && reads_.front().second <= now) reads_.pop_front();
  }

 private:
  std::deque<std::pair<Cycle, Cycle>> reads_;  ///< one behind the other
};

}  // namespace shflsim::model
