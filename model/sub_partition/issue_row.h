// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/core/cycle.h"
#include "model/warps/warps.h"

namespace shflsim::model {

class SubPartition;
class WarpScheduler;

/// Plain instructions that one warp issues in consecutive cycles of issue while no other warp has
/// to be examined: the policy stays with it, no other one wakes, and nothing that others wait for
/// has come. Such a cycle has the results of SubPartition's general one, for less work.
class IssueRow {
 public:
  explicit IssueRow(SubPartition& part) : part_(part) {}

  /// True if the warp that issued last may go on at `now`, from what the scheduler knows.
  bool goes_on(Cycle now) const;
  /// Runs such a cycle; returns what SubPartition::evaluate() does.
  bool evaluate(Cycle now);

 private:
  bool may_issue(const WarpScheduler& scheduler, const Warps::Warp& warp, Cycle now) const;
  bool issue(Cycle now);
  void reach_line(unsigned slot, Warps::Warp& warp, Cycle now);
  void leave(unsigned slot, Warps::Warp& warp, bool has_next, Cycle now);
  void freeze(Cycle now, Cycle cycles);

  SubPartition& part_;
};

}  // namespace shflsim::model
