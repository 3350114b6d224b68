// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/core/observer.h"
#include "report/run/columns.h"

namespace shflsim::report {

/// The busy cycles of one unit in each bin of a run, summed over its instances.
struct UnitStrip {
  std::string unit;
  uint32_t instances = 1;
  std::vector<uint64_t> busy;
};

/// The busy cycles of each unit over time, in at most kMostBins bins whose width grows with the
/// run. The bins of a unit add up to its UnitStats, and those of the issue slots to the cycles in
/// which warps were `selected`.
class UnitsOverTime final : public model::Observer {
 public:
  static constexpr size_t kMostBins = 200;

  model::Cycle next_sample() const override { return width_ * (samples_.size() + 1); }
  void sampled(model::Cycle end, const std::vector<model::UnitStats>& units) override;
  void stood(const model::ResidentWarp& warp, uint32_t index, model::WarpState state,
             model::Cycle from, model::Cycle to) override;

  /// The width of a bin in cycles; the last one may be shorter.
  model::Cycle width() const { return width_; }
  /// The issue slots of the sub-partitions, then the units in the order of reports.
  std::vector<UnitStrip> strips(const model::RunResult& result) const;

 private:
  size_t bins(const model::RunResult& result) const;
  void widen();

  model::Cycle width_ = 1;
  std::vector<std::vector<uint64_t>> samples_;  ///< by bin and unit: busy cycles up to its end
  std::vector<std::vector<uint64_t>> issues_{model::kSubPartitions};  ///< by sub-partition and bin
};

}  // namespace shflsim::report
