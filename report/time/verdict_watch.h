// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/observers.h"
#include "report/run/columns.h"
#include "report/run/verdict.h"
#include "report/time/critical_path.h"
#include "report/time/units_over_time.h"

namespace shflsim::report {

/// Watches a run for its verdict: the critical path and how busy each unit is over time.
class VerdictWatch {
 public:
  /// Of a longer run, the critical path is that of its first warp instructions: what is kept of
  /// each takes longer than to time it.
  static constexpr uint64_t kMostInstructions = 150'000;

  VerdictWatch();
  model::Observer* observer() { return &observers_; }
  /// Without what-ifs. To be called once the run is over.
  Verdict verdict(const Run& run) const;

 private:
  CriticalPath path_{kMostInstructions, CriticalPath::Longer::kBegin};
  UnitsOverTime units_;
  model::Observers observers_;
};

/// Sums of the links by what they were spent on, the most cycles first.
std::vector<BoundShare> bounds_of(const isa::Code& code, const std::vector<PathLink>& links);
/// Each unit that is busy at all, in the tenth of the run in which it is busiest.
std::vector<BusiestTenth> busiest_of(const UnitsOverTime& units, const model::RunResult& result);

}  // namespace shflsim::report
