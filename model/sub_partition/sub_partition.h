// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "model/barrier/block_barrier.h"
#include "model/barrier/held_at.h"
#include "model/branch/branch_unit.h"
#include "model/core/kept_cycle.h"
#include "model/global_memory/global_memory.h"
#include "model/scheduler/warp_scheduler.h"
#include "model/sub_partition/issue_row.h"

namespace shflsim::model {

/// Events that a sub-partition reports to the SM: its warps arrive at a barrier or leave.
class WarpEvents : public virtual sc_core::sc_interface {
 public:
  virtual void arrived_at_barrier(unsigned sub_partition, unsigned slot,
                                  const BarrierArrival& arrival, Cycle now) = 0;
  /// The warp is at WARPGROUP.ARRIVE.
  virtual void came_to_group(unsigned sub_partition, unsigned slot) = 0;
  /// The warp waits for its cluster, or for a phase of a barrier in shared memory.
  virtual void held(unsigned sub_partition, unsigned slot, const HeldAt& at, Cycle now) = 0;
  /// The warp's loads to shared memory are done at `when`; then the barrier receives `arrival`.
  virtual void loads_done(const isa::BulkCopy& arrival, Cycle when) = 0;
  virtual void exited(unsigned sub_partition, unsigned slot, Cycle now) = 0;
  virtual void finished(unsigned sub_partition, unsigned slot, Cycle now) = 0;
};

/// A quarter of an SM: warp slots, instruction buffers, the warp scheduler with its dispatch, the
/// register file, the math pipes and the queue to the shared units.
///
///   fetch -> instruction buffer -> scheduler -> dispatch -> register file -> math pipes
///                 dependence ------^                    \-> MIO queue -> shared units
class SubPartition : public Module, public MioReturn {
 public:
  struct Params {
    FetchParams fetch;
    CodeLayout layout;  ///< layout of the kernel's code
    DependenceParams dependence;
    BarrierParams barrier;
    BranchParams branch;
    uint32_t clock_mhz = 1000;
    FenceParams fence;
    Dispatch::Params dispatch;
    unsigned slots = 0;
    RequestWatch* watch = nullptr;       ///< nullptr: no observer of instructions
    std::shared_ptr<SharedTurns> turns;  ///< of the branches of all sub-partitions
    Cycle* due = nullptr;                ///< where due() is kept; nullptr: in the part
  };

  SubPartition(const sc_core::sc_module_name& name, const Params& params,
               std::unique_ptr<SchedulingPolicy> policy, const isa::Code& its_code,
               IssueTable& table, std::vector<InstructionStats>* instructions);

  const char* kind() const override { return "SubPartition"; }
  const char* hardware() const override { return "quarter of an SM, with its own warp scheduler"; }
  const char* section() const override { return ""; }

  sc_core::sc_port<WarpEvents> events;
  sc_core::sc_port<CodeSource> code;
  sc_core::sc_port<MioUnit> special_function;  ///< used if it is not behind the queue
  sc_core::sc_port<SharedBanks> shared_banks;
  sc_core::sc_port<AddressedMemory> global_memory;
  sc_core::sc_port<ConstantSource> constant_memory;
  sc_core::sc_port<MioHeads> arbiter;
  sc_core::sc_export<MioSource> queue;
  sc_core::sc_export<MioReturn> back;
  sc_core::sc_export<BankUse> banks;
  const Dispatch& dispatch() const { return dispatch_; }

  /// The slots without a warp.
  SlotMask free_slots() const { return all_slots_ & ~warps_.resident; }
  /// `start`: cycles from `now` until the warp may issue. `stats`: has its block and number.
  void start_warp(unsigned slot, traces::WarpReader steps, uint64_t start, WarpStats& stats,
                  Cycle now);
  // For the observer, if there is one.
  /// Tells the observer's watch which warp has started in the slot.
  void name(unsigned slot, const ResidentWarp& who) {
    if (watch_ != nullptr) watch_->start(slot, who);
  }
  /// Must be called after a cycle in which warps may have moved.
  void look(Cycle now) {
    scheduler_.candidates().show(now);
    watch_->look();
  }
  /// The run ends before its warps do: accounts for their cycles before `now`.
  void stop(Cycle now);

  /// Lets the warp continue at `release`. Must be called after the evaluation of `now`. `is_held`:
  /// it waited for its cluster or for a phase, not at a barrier of the block.
  void leave_barrier(unsigned slot, Cycle release, Cycle now, bool is_held = false);
  /// The warp's group has met; its products may issue from `release` on.
  void meet_group(unsigned slot, Cycle release, Cycle now);
  /// A store holds the scoreboard of each group of copies that ends on the SM later, until `read`;
  /// or a barrier receives an arrival after the loads to shared memory that the warp has begun.
  void note_copy(unsigned slot, const isa::BulkCopy& copy, Cycle read);

  /// First cycle in which anything can change; earlier cycles may be skipped.
  Cycle due() const { return due_.get(); }
  /// Runs one cycle: receives results, determines what each warp waits for, and issues. Returns
  /// true if a result came, anything issued or a warp left.
  bool evaluate(Cycle now);
  /// Number of second instructions of issued pairs; resident warps summed over cycles.
  uint64_t dual_issued() const { return dual_issued_; }
  uint64_t warp_cycles() const { return warp_cycles_; }

  // MioReturn
  void sources_read(const MioRequest& request, Cycle cycle) override;
  void completed(const MioRequest& request, const MioCompletion& completion) override;
  void left_queue() override;

 private:
  friend class IssueRow;  ///< a cycle with less work

  bool evaluate_all(Cycle now);
  bool issue(unsigned slot, Warps::Warp& warp, Cycle now);
  void start(unsigned slot, Warps::Warp& warp, Cycle now);
  void stand_before(unsigned slot, Warps::Warp& warp, Cycle now);
  void look_at(const IssueRecord& record, unsigned slot, Cycle now);
  void wait_for_fence(Fence scope, unsigned slot, Cycle now);
  void arrive_at_barrier(unsigned slot, Cycle now);
  void exit(unsigned slot, Cycle now);
  bool retire_drained(Cycle now);
  /// First cycle in which anything can change if no warp must be examined in the next cycle.
  [[gnu::always_inline]] Cycle next_change(Cycle now) const {
    const Cycle news =
        std::min({scheduler_.next_result(), dispatch_.due(), dispatch_.next_end(now)});
    const Cycle next = std::max(std::min(news, scheduler_.next_ready()), now + 1);
    const Cycle awake = scheduler_.next_of_awake(now);
    const Cycle end = warps_.exited == 0 ? kNever : warps_.next_end(now);
    return std::min({next, awake, end});
  }

  const unsigned number_;
  const BarrierParams barrier_;
  const FenceParams fence_;
  const SlotMask all_slots_;

  Fetch fetch_;
  const std::unique_ptr<Dependence> dependence_;
  Dispatch dispatch_;
  Warps warps_;
  WarpScheduler scheduler_;
  BranchUnit branch_unit_;
  IssueRow row_;
  std::unique_ptr<WarpWatch> watch_;  ///< nullptr: no observer of instructions
  uint64_t dual_issued_ = 0;
  uint64_t warp_cycles_ = 0;
  KeptCycle due_;  ///< events from outside make it earlier
};

/// Receives what has come; returns true if anything had.
[[gnu::always_inline]] inline bool take_results(Dispatch& dispatch, Dependence& dependence,
                                                WarpScheduler& scheduler, Cycle now) {
  if (std::min(dispatch.due(), dependence.due()) > now) return false;
  if (dispatch.due() <= now) dispatch.write_results(now);
  if (dependence.due() <= now) scheduler.look_again(dependence.update(now));
  return true;
}

/// Moves the warp to the instruction of its step.
[[gnu::always_inline]] inline void SubPartition::stand_before(unsigned slot, Warps::Warp& warp,
                                                              Cycle now) {
  const uint32_t index = warp.steps->step().index;
  if (index == warp.index + 1) {
    warp.stand_before_next();
    const Point point = warp.record->point;
    if (point == Point::kNone) return;
    if (point != Point::kFetch) branch_unit_.run_on(slot, now);
    if (point != Point::kBranch)
      scheduler_.hold_back(slot, fetch_.advance(slot, index, now), WarpState::kNoInstruction);
    return;
  }
  branch_unit_.jump(slot, now);
}

[[gnu::always_inline]] inline void IssueRow::look(const WarpScheduler& scheduler,
                                                  const Warps& warps) {
  is_on_ = false;
  if (scheduler.next_up_ != slot_bit(scheduler.choice_.last)) return;
  const SlotMask others = scheduler.look_ | scheduler.held_ | scheduler.freeze_.slots;
  is_on_ = warps.warp[scheduler.choice_.last].record->runs_on && (others | warps.exited) == 0 &&
           !scheduler.choice_.last_yields && scheduler.policy_->is_greedy;
}

}  // namespace shflsim::model
