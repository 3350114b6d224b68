// SPDX-License-Identifier: Apache-2.0
#include "model/branch/branch_unit.h"

#include <algorithm>
#include <utility>

#include "model/core/different_values.h"
#include "model/core/timer.h"

namespace shflsim::model {

BranchUnit::BranchUnit(const sc_core::sc_module_name& name, const BranchParams& params,
                       Warps& warps, WarpScheduler& scheduler, Fetch& fetch, uint32_t clock_mhz)
    : Module(name),
      params_(params),
      clock_mhz_(clock_mhz),
      warps_(warps),
      scheduler_(scheduler),
      fetch_(fetch) {}

/// Stores the lanes that execute the warp's branch; these are the lanes that jump.
void BranchUnit::note(unsigned slot, const traces::WarpReader& steps, Cycle now) {
  const isa::LaneMask lanes = steps.step().lanes;
  if (warps_.warp[slot].record->facts->syncs_set())
    sets_[slot] = steps.step().payload == traces::Step::kNone
                      ? 1
                      : different_values(steps.addresses(), lanes);
  if (!warps_.warp[slot].record->facts->is_guarded) sides_[slot].set_active(lanes);
  lanes_[slot] = lanes;
  if (warps_.warp[slot].record->is_convergence)
    waits_[slot] =
        std::max({turns->barriers.take(now, params_.turn), opened_[slot], written_[slot]}) - now;
}

void BranchUnit::move_barrier(unsigned slot, Cycle now, Dependence& dependence) {
  const IssueRecord& record = *warps_.warp[slot].record;
  const Facts& facts = *record.facts;
  const bool writes = facts.writes_barrier();
  const Cycle turn = turns->barriers.take(now, params_.turn * (writes ? 2 : 1));
  const Cycle begin = std::max({turn, opened_[slot], writes ? 0 : written_[slot]});
  opened_[slot] = begin + params_.apart;
  if (writes) {
    moved_[slot] |= 1u << facts.convergence_barrier;
    written_[slot] = begin + params_.barrier_write;
  }
  if (!record.dependence.results) return;
  dependence.sources_read(slot, facts, begin + (writes ? params_.barrier_release : 1));
  dependence.result_ready(slot, facts, begin + (writes ? 1 : params_.barrier_read));
}

/// What follows a BSSY does not wait for its turn, but for that of an earlier one.
void BranchUnit::open(unsigned slot, Cycle now) {
  moved_[slot] &= ~(1u << warps_.warp[slot].record->facts->convergence_barrier);
  const Cycle from = std::max(now, opened_[slot]);
  opened_[slot] = std::max(turns->barriers.take(now, params_.turn), from) + params_.apart;
  if (from == now) return;
  scheduler_.hold_back(slot, from + warps_.warp[slot].record->stall, WarpState::kBranchResolving);
}

/// After a branch that some lanes take, the other lanes continue first; after an exit, alone.
void BranchUnit::go_on(unsigned slot, Cycle now) {
  const IssueRecord& branch = *(warps_.warp[slot].record - 1);
  if (branch.is_indirect) return go_back_and_jump(slot, now);
  if (branch.is_convergence) return meet(slot, now);
  if (branch.facts->ends_set()) return hold_back(slot, branch, params_.convergence, now);
  if (branch.facts->syncs_warp()) return synchronise(slot, now);
  if (branch.facts->is_exit()) return sides_[slot].end(lanes_[slot]);
  if (sides_[slot].part(lanes_[slot], false)) hold_back(slot, branch, params_.divergence, now);
}

/// A jump to the following instruction counts as a jump.
void BranchUnit::go_back_and_jump(unsigned slot, Cycle now) {
  warps_.stand_before(slot, warps_.warp[slot].index - 1);
  jump(slot, now);
}

/// The lanes of a convergence barrier continue together.
void BranchUnit::meet(unsigned slot, Cycle now) {
  const IssueRecord& sync = *(warps_.warp[slot].record - 1);
  const uint8_t barrier = sync.facts->convergence_barrier;
  const bool others_waited = sides_[slot].meet(barrier);
  const bool was_written = (moved_[slot] >> barrier & 1u) != 0;
  moved_[slot] &= ~(1u << barrier);
  const Cycle cycles = others_waited ? params_.rejoin : params_.convergence;
  hold_back(slot, sync, cycles + waits_[slot] + (was_written ? params_.barrier_written : 0), now);
}

/// The next issue is at least this number of cycles after the last.
void BranchUnit::hold_back(unsigned slot, const IssueRecord& last, Cycle cycles, Cycle now) {
  if (cycles <= last.stall) return;
  warps_.spend(slot, WarpState::kWait, last.stall - 1);
  scheduler_.hold_back(slot, now + cycles, WarpState::kBranchResolving);
}

/// The registers of the lanes say which lanes wait for one another. These sets are served one after
/// the other, and after sets of another warp (measured: contention.csv, warpsync_2_1 to
/// warpsync_32_4).
void BranchUnit::synchronise(unsigned slot, Cycle now) {
  const IssueRecord& sync = *(warps_.warp[slot].record - 1);
  const bool others_waited = sides_[slot].meet(kWarpBarrier);
  if (!sync.facts->syncs_set() && !others_waited) return;
  if (sync.facts->parts_sets) return begin_set(slot, sync, now);
  if (!sync.facts->syncs_set()) sets_[slot] = 1;
  const Cycle more = sets_[slot] == 0 ? 0 : Cycle{params_.synchronise_set} * (sets_[slot] - 1);
  const Cycle start = std::max(now + sync.stall, sets_done_);
  sets_done_ = start + more;
  warps_.spend(slot, WarpState::kWait, sync.stall - 1);
  scheduler_.hold_back(slot, sets_done_ + params_.synchronise, WarpState::kBranchResolving);
}

/// A set of lanes continues without the others; the next set begins when this one waits.
void BranchUnit::begin_set(unsigned slot, const IssueRecord& sync, Cycle now) {
  set_behind_[slot] = warps_.warp[slot].record;
  hold_back(slot, sync, sync.stall + params_.synchronise, now);
}

/// This takes time even if no lanes can take the place of the running ones.
void BranchUnit::let_others_run(unsigned slot, Cycle now) {
  const bool has_others = sides_[slot].has_others();
  const Cycle begin =
      turns->yields.take(now, has_others ? params_.yield_sides_hold : params_.yield_hold);
  const Cycle end = begin + (has_others ? params_.yield_sides : params_.yield);
  scheduler_.hold_back(slot, end + warps_.warp[slot].record->stall, WarpState::kBranchResolving);
}

void BranchUnit::wait_for_phase(unsigned slot, Cycle now) {
  const Cycle release = std::exchange(warps_.warp[slot].phase_release, 0);
  const WarpState state =
      waits_for_lanes(slot) ? WarpState::kBranchResolving : WarpState::kLongScoreboard;
  if (release == kNever) return scheduler_.stop(slot, state);
  if (release > now) scheduler_.hold_back(slot, release, state);
}

void BranchUnit::change_registers(unsigned slot, Cycle now) {
  const bool gets = warps_.warp[slot].record->facts->gets_registers;
  scheduler_.hold_back(slot, now + (gets ? params_.more_registers : params_.fewer_registers),
                       WarpState::kWait);
}

/// Sleeps for the most nanoseconds of a lane.
void BranchUnit::sleep(unsigned slot, Cycle now) {
  const traces::WarpReader& steps = *warps_.warp[slot].steps;
  const traces::Step& step = steps.step();
  if (step.lanes == 0 || step.payload == traces::Step::kNone) return;
  uint64_t longest = 0;
  for (unsigned lane = 0; lane < isa::kLanes; ++lane) {
    if ((step.lanes >> lane & 1) != 0) longest = std::max(longest, steps.addresses()[lane]);
  }
  scheduler_.hold_back(slot, end_of_nap(longest, now + params_.sleep, clock_mhz_),
                       WarpState::kSleeping);
}

/// Cycles until a suspended side continues, when the running side waits or ends.
Cycle BranchUnit::resume(unsigned slot, const IssueRecord& last) {
  const bool waits = last.is_convergence || last.facts->syncs_warp();
  if (waits)
    sides_[slot].wait(last.is_convergence ? last.facts->convergence_barrier : kWarpBarrier);
  const Cycle stored = sides_[slot].resume() ? params_.store : 0;
  const Cycle jumped = sides_[slot].stands_at_jump() ? params_.again + scatter(slot) : 0;
  const Cycle turned = last.is_convergence ? waits_[slot] : 0;
  return (waits ? params_.change : 0) + turned + stored + jumped;
}

/// The lanes go where their registers say; those that go to the next step's place run first.
Cycle BranchUnit::scatter(unsigned slot) {
  const traces::Step& step = warps_.warp[slot].steps->step();
  const IssueRecord& target =
      warps_.warp[slot].record[std::ptrdiff_t{step.index} - warps_.warp[slot].index];
  if (!target.facts->is_guarded) sides_[slot].part_at_jump(step.lanes);
  return params_.indirect;
}

/// Cycles until the warp continues elsewhere: at the target of a jump, or on another side.
Cycle BranchUnit::leave(unsigned slot, const IssueRecord& last) {
  if (last.facts->lets_others_run) {
    sides_[slot].give_way();
    return params_.yield_sides;
  }
  if (!last.facts->jumps) return resume(slot, last);
  if (last.is_indirect) return scatter(slot);
  if (last.is_branch) sides_[slot].part(lanes_[slot], true);
  return 0;
}

void BranchUnit::jump(unsigned slot, Cycle now) {
  const IssueRecord& branch = *warps_.warp[slot].record;
  const Cycle left = follows_sides() ? leave(slot, branch) : 0;
  const Cycle turn = branch.is_indirect ? turns->jumps.take(now, params_.indirect_turn) - now : 0;
  const Cycle extra = left + turn;
  const uint32_t index = warps_.warp[slot].steps->step().index;
  Cycle led = now + fetch_.branch_latency() + extra;
  if (params_.resolve != 0) {
    const Cycle behind = fetch_.branch_latency() - 1;  // cycles between the two issues
    const Cycle resolve = std::min<Cycle>(params_.resolve, behind);
    if (!warps_.is_before_last(slot)) warps_.warp[slot].stand_before_next();
    warps_.spend(slot, WarpState::kWait, std::min<Cycle>(branch.stall - 1, behind - resolve));
    if (extra != 0) warps_.spend(slot, WarpState::kBranchResolving, extra);
    warps_.stand_before(slot, index);
    warps_.spend(slot, WarpState::kBranchResolving, resolve);
    scheduler_.sit_out(slot, led, WarpState::kNoInstruction);
  } else {
    warps_.stand_before(slot, index);
    const Cycle stalled = std::min<Cycle>(now + branch.stall, led);
    const Cycle goes_on = params_.frozen != 0 ? 0 : led - stalled;
    scheduler_.hold_back(slot, led, WarpState::kBranchResolving, goes_on);
  }
  if (!branch.facts->jumps && set_behind_[slot] == warps_.warp[slot].record)
    begin_set(slot, *(set_behind_[slot] - 1), led);
  if (fetch_.can_miss())
    scheduler_.hold_back(slot, fetch_.jump(slot, index, led), WarpState::kNoInstruction);
}

}  // namespace shflsim::model
