// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/core/cycle.h"

namespace shflsim::report {

/// Cycles of several rows in at most kMost bins over time. The width of the bins is a power of two
/// and grows with the run.
class Bins {
 public:
  static constexpr size_t kMost = 256;

  explicit Bins(size_t rows = 0) : rows_(rows) {}
  /// Adds the cycles from `from` to before `to` to this row.
  void add(size_t row, model::Cycle from, model::Cycle to);
  /// The width of a bin, cycles.
  model::Cycle width() const { return width_; }
  /// By row and bin, with as many bins as a run of `cycles` has. Counts beyond the end of the run
  /// are in the last bin.
  std::vector<std::vector<uint64_t>> over(model::Cycle cycles) const;

 private:
  void widen();

  model::Cycle width_ = 1;
  std::vector<std::vector<uint64_t>> rows_;
};

}  // namespace shflsim::report
