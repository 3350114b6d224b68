// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>

#include "model/branch/branch_params.h"
#include "model/branch/branch_turns.h"
#include "model/branch/lane_sides.h"
#include "model/dependence/dependence.h"
#include "model/fetch/fetch.h"
#include "model/scheduler/warp_scheduler.h"

namespace shflsim::model {

/// Branch unit of a sub-partition: decides when a warp continues after a jump or after its lanes
/// diverged or converged, and the warp's state until then.
class BranchUnit : public Module {
 public:
  BranchUnit(const sc_core::sc_module_name& name, const BranchParams& params, Warps& warps,
             WarpScheduler& scheduler, Fetch& fetch, uint32_t clock_mhz);

  const char* kind() const override { return "BranchUnit"; }
  const char* hardware() const override { return "branch unit: jumps, convergence barriers"; }
  const char* section() const override { return "branch"; }

  std::shared_ptr<SharedTurns> turns;  ///< shared by all sub-partitions

  void start_warp(unsigned slot, isa::LaneMask lanes) { sides_[slot].start(lanes); }
  /// The warp's branch issues; `steps` has the lanes that execute it.
  void issue(unsigned slot, const traces::WarpReader& steps, Cycle now) {
    if (follows_sides()) note(slot, steps, now);
  }
  /// The warp's BSSY issues.
  void open(unsigned slot, Cycle now);
  /// The warp's BMOV issues; `dependence` is told when its source and its result are available.
  void move_barrier(unsigned slot, Cycle now, Dependence& dependence);
  /// The warp, which was before a branch, is now at the next instruction in the code.
  void run_on(unsigned slot, Cycle now) {
    if (follows_sides()) go_on(slot, now);
  }
  /// The warp is now at a step elsewhere.
  void jump(unsigned slot, Cycle now);
  /// The warp's YIELD issues.
  void let_others_run(unsigned slot, Cycle now);
  /// True if lanes of the warp that do not execute now are suspended or wait.
  bool has_others(unsigned slot) const { return sides_[slot].has_others(); }
  /// True if lanes of the warp wait at a WARPSYNC.
  bool waits_for_lanes(unsigned slot) const { return sides_[slot].waits_at(kWarpBarrier); }
  /// The warp's USETMAXREG, or its NANOSLEEP, issues.
  void change_registers(unsigned slot, Cycle now);
  /// The next instruction needs the answer of a TRYWAIT before it.
  void wait_for_phase(unsigned slot, Cycle now);
  void sleep(unsigned slot, Cycle now);

 private:
  static constexpr unsigned kWarpBarrier = 16;  ///< index of WARPSYNC's barrier, after B0 to B15

  /// Code before sm_70 handles divergence with a stack.
  bool follows_sides() const { return params_.divergence != 0; }
  void go_on(unsigned slot, Cycle now);
  void go_back_and_jump(unsigned slot, Cycle now);
  void note(unsigned slot, const traces::WarpReader& steps, Cycle now);
  void meet(unsigned slot, Cycle now);
  void synchronise(unsigned slot, Cycle now);
  void hold_back(unsigned slot, const IssueRecord& last, Cycle cycles, Cycle now);
  void begin_set(unsigned slot, const IssueRecord& sync, Cycle now);
  Cycle leave(unsigned slot, const IssueRecord& last);
  Cycle resume(unsigned slot, const IssueRecord& last);
  Cycle scatter(unsigned slot);

  const BranchParams params_;
  const uint64_t clock_mhz_;
  Warps& warps_;
  WarpScheduler& scheduler_;
  Fetch& fetch_;
  std::array<isa::LaneMask, kMostSlots> lanes_{};  ///< lanes that executed the warp's last branch
  std::array<LaneSides, kMostSlots> sides_;
  std::array<uint32_t, kMostSlots> sets_{};  ///< sets of lanes in the warp's last WARPSYNC
  /// Record after the warp's last WARPSYNC that splits sets.
  std::array<const IssueRecord*, kMostSlots> set_behind_{};
  /// Earliest turn of the warp's next BSSY, BSYNC or BMOV...
  std::array<Cycle, kMostSlots> opened_{};
  std::array<Cycle, kMostSlots> written_{};   ///< ...of its next BSYNC or read of a barrier
  std::array<uint32_t, kMostSlots> moved_{};  ///< bit b: BMOV has written the warp's barrier b
  std::array<Cycle, kMostSlots> waits_{};  ///< cycles that the warp's last BSYNC waits for its turn
  Cycle sets_done_ = 0;  ///< cycle in which all sets of the last WARPSYNC are done
};

}  // namespace shflsim::model
