// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/observers.h"
#include "report/run/columns.h"
#include "report/run/verdict.h"
#include "report/time/critical_path.h"
#include "report/time/units_over_time.h"

namespace shflsim::report {

/// Observes a run for its verdict: the critical path, and how busy each unit is over time.
class VerdictWatch {
 public:
  /// In a longer run, the critical path covers only the first warp instructions, because recording
  /// an instruction takes longer than timing it.
  static constexpr uint64_t kMostInstructions = 150'000;

  VerdictWatch();
  model::Observer* observer() { return &observers_; }
  /// The verdict without what-ifs. Call it after the run.
  Verdict verdict(const Run& run) const;

 private:
  CriticalPath path_{kMostInstructions, CriticalPath::Longer::kBegin};
  UnitsOverTime units_;
  model::Observers observers_;
};

/// The cycles of the links by bound, the most cycles first.
std::vector<BoundShare> bounds_of(const isa::Code& code, const std::vector<PathLink>& links);
/// For each unit that is ever busy, the tenth of the run in which it is busiest.
std::vector<BusiestTenth> busiest_of(const UnitsOverTime& units, const model::RunResult& result);

}  // namespace shflsim::report
