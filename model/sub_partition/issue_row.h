// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/core/cycle.h"
#include "model/warps/warps.h"

namespace shflsim::model {

class SubPartition;
class WarpScheduler;

/// Plain instructions that one warp issues in consecutive cycles of issue: the policy stays with
/// this warp, whichever others wake or have the results that they wait for. Such a cycle gives the
/// same results as SubPartition's general cycle, with less work.
class IssueRow {
 public:
  explicit IssueRow(SubPartition& part) : part_(part) {}

  /// True if the warp that issued last may continue, by the scheduler's state.
  bool goes_on() const { return is_on_; }
  /// Runs such a cycle; returns what SubPartition::evaluate() does.
  bool evaluate(Cycle now);
  /// A general cycle has ended, after which a row may begin.
  void look(const WarpScheduler& scheduler, const Warps& warps);
  /// Something from outside happens to the warps.
  void end() { is_on_ = false; }

 private:
  bool may_issue(const WarpScheduler& scheduler, const Warps::Warp& warp, Cycle now) const;
  bool issue(Cycle now);
  void reach_line(unsigned slot, Warps::Warp& warp, Cycle now);
  void leave(unsigned slot, Warps::Warp& warp, bool has_next, Cycle now);
  void freeze(Cycle now, Cycle cycles);

  SubPartition& part_;
  bool is_on_ = false;  ///< the warp that issued last may continue
};

}  // namespace shflsim::model
