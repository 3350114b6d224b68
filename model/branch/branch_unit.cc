// SPDX-License-Identifier: Apache-2.0
#include "model/branch/branch_unit.h"

#include <algorithm>

namespace shflsim::model {

BranchUnit::BranchUnit(const sc_core::sc_module_name& name, const BranchParams& params,
                       Warps& warps, WarpScheduler& scheduler, Fetch& fetch)
    : Module(name), params_(params), warps_(warps), scheduler_(scheduler), fetch_(fetch) {}

/// Behind a branch that some lanes take, the others go on first.
void BranchUnit::run_on(unsigned slot, Cycle now) {
  const IssueRecord& branch = *(warps_.record[slot] - 1);
  if (branch.is_convergence) return meet(slot, now);
  const bool parts = lanes_[slot] != 0 && params_.divergence != 0;
  if (!parts) return;
  warps_.spend(slot, WarpState::kWait, branch.stall);
  scheduler_.hold_back(slot, now + branch.stall + params_.divergence, WarpState::kBranchResolving);
}

/// The lanes of a convergence barrier go on together.
void BranchUnit::meet(unsigned slot, Cycle now) {
  const IssueRecord& sync = *(warps_.record[slot] - 1);
  const isa::LaneMask lanes = warps_.warp[slot].steps->step().lanes;
  const bool others_waited = (lanes & ~lanes_[slot]) != 0;
  const Cycle behind = others_waited ? params_.rejoin : params_.convergence;
  if (behind <= sync.stall) return;
  warps_.spend(slot, WarpState::kWait, sync.stall);
  scheduler_.hold_back(slot, now + behind, WarpState::kBranchResolving);
}

void BranchUnit::jump(unsigned slot, Cycle now) {
  const IssueRecord& branch = *warps_.record[slot];
  const uint32_t index = warps_.warp[slot].steps->step().index;
  Cycle led = now + fetch_.branch_latency() + (branch.is_indirect ? params_.indirect : 0);
  if (params_.resolve != 0) {
    const Cycle behind = fetch_.branch_latency() - 1;  // what lies between the two issues
    const Cycle resolve = std::min<Cycle>(params_.resolve, behind);
    const Cycle wait = std::min<Cycle>(branch.stall, behind - resolve);
    warps_.stand_before_next(slot);
    warps_.spend(slot, WarpState::kWait, wait);
    if (branch.is_convergence && params_.change > wait) {
      warps_.spend(slot, WarpState::kBranchResolving, params_.change - wait);
      led += params_.change - wait;
    }
    warps_.stand_before(slot, index);
    warps_.spend(slot, WarpState::kBranchResolving, resolve);
    scheduler_.sit_out(slot, led, WarpState::kNoInstruction);
  } else {
    warps_.stand_before(slot, index);
    scheduler_.hold_back(slot, led, WarpState::kBranchResolving);
  }
  if (fetch_.can_miss())
    scheduler_.hold_back(slot, fetch_.jump(slot, index, led), WarpState::kNoInstruction);
}

}  // namespace shflsim::model
