// SPDX-License-Identifier: Apache-2.0
#include "model/scheduler/warp_scheduler.h"

namespace shflsim::model {
WarpScheduler::WarpScheduler(const sc_core::sc_module_name& name,
                             std::unique_ptr<SchedulingPolicy> policy, Warps& warps,
                             const Dispatch& dispatch, Dependence& dependence, Fetch& fetch)
    : Module(name),
      constant_memory("constant_memory"),
      warps_(warps),
      dispatch_(dispatch),
      dependence_(dependence),
      fetch_(fetch),
      policy_(std::move(policy)),
      candidates_(warps) {}

void WarpScheduler::start(unsigned slot, uint32_t block, Cycle ready) {
  ready_[slot] = ready + lead_;
  ready_state_[slot] = WarpState::kNoInstruction;
  choice_.age[slot] = started_++;
  choice_.block[slot] = block;
  used_ |= slot_bit(slot);
  choice_.oldest = choice_.of_oldest_block_among(used_);
  choice_.issued &= ~slot_bit(slot);
  came_ |= slot_bit(slot);
  look_ |= slot_bit(slot);
  if (fetch_.can_miss()) unfetched_ |= slot_bit(slot);
}

void WarpScheduler::leave_barrier(unsigned slot, Cycle release, Cycle now) {
  at_barrier_ &= ~slot_bit(slot);
  hold_back(slot, release, stop_state_[slot]);
  came_ |= slot_bit(slot);
  look_ |= slot_bit(slot);
  const bool has_just_issued = warps_.warp[slot].since > now;
  if (has_just_issued) warps_.warp[slot].state = ready_state_[slot];
}

/// The barrier has released the warp for its counted lanes, but other lanes have yet to arrive.
void WarpScheduler::turn_away(unsigned slot, Cycle now) {
  constexpr Cycle kAskAgain = 16;  // assumed: only if lanes of a warp arrive one after another
  candidates_.drop(slot, now);
  warps_.warp[slot].enter(WarpState::kBarrier, now);
  warps_.stand_before(slot, warps_.warp[slot].steps->step().index);
  sit_out(slot, now + kAskAgain, WarpState::kBarrier);
  sleep(slot);
}

/// Adds the warps that wake, or have what they waited for, where none of them may issue: another
/// one does, or issue is frozen.
[[gnu::noinline]] void WarpScheduler::join(Cycle now) {
  arrived_ = {};
  look_at_woken(0, now);
  if (freeze_.until > now) candidates_.freeze(now);
  if (arrived_.all != 0) candidates_.add_all(arrived_.all, arrived_.open, now);
}

/// Returns the slots in look_. New warps whose time has not come sleep. The first instruction of a
/// warp is fetched when its time has come.
SlotMask WarpScheduler::take_look(Cycle now) {
  held_ &= ~look_;
  blocked_ &= ~look_;
  SlotMask slots = std::exchange(look_, 0);
  for_each_slot(std::exchange(came_, 0), [&](unsigned slot) {
    if (has_slot(unfetched_, slot) && ready_[slot] <= now + lead_) {
      unfetched_ &= ~slot_bit(slot);
      ready_[slot] = fetch_.jump(slot, warps_.warp[slot].index, now) + lead_;
    }
    if (ready_[slot] <= now + lead_) return;
    slots &= ~slot_bit(slot);
    sleep(slot);
    warps_.warp[slot].enter(ready_state_[slot], now);
  });
  return slots;
}

/// True if the warp has to wait for a constant of its instruction. The constant is requested when
/// nothing else of its own delays the warp.
bool WarpScheduler::misses_constant(unsigned slot, Cycle now) {
  const traces::WarpReader& steps = *warps_.warp[slot].steps;
  const isa::LaneMask lanes = steps.step().lanes;
  const Facts& facts = *warps_.warp[slot].record->facts;
  if (lanes == 0) return false;
  if (facts.constant.is_indexed && steps.step().payload >= traces::Step::kPending) return false;
  const uint64_t offset = facts.constant.is_indexed
                              ? steps.addresses()[static_cast<unsigned>(__builtin_ctz(lanes))]
                              : facts.constant.offset;
  const Cycle there =
      constant_memory->immediate(facts.constant.bank, static_cast<uint32_t>(offset), now);
  if (there <= now) return false;
  candidates_.drop(slot, now);
  sit_out(slot, there, WarpState::kImcMiss);
  sleep(slot);
  warps_.warp[slot].enter(WarpState::kImcMiss, now);
  return true;
}

/// The second instruction of a marked pair also issues, unless something of its own delays it.
bool WarpScheduler::takes_second(unsigned slot, Cycle now) {
  if (has_slot(warps_.exited | at_barrier_, slot)) return false;
  if (ready_state_[slot] == WarpState::kNoInstruction) return false;
  if (blocker(slot, now) != WarpState::kSelected ||
      !dispatch_.takes(warps_.warp[slot].record->resource, now)) {
    sit_out(slot, now + 1);
    return false;
  }
  choice_.last_yields = warps_.warp[slot].record->yields;
  return true;
}

Cycle WarpScheduler::look_for_next(Cycle now) const {
  Cycle next = kNever;
  for_each_slot(held_, [&](unsigned slot) {
    next = std::min(next, std::max(warps_.warp[slot].held_until(), now + 1));
  });
  if (candidates_.is_frozen())
    return candidates_.all() == 0 ? next : std::min(next, std::max(freeze_.until, now + 1));
  // Where room in a queue is not foreseen, the unit that makes it reports it.
  for_each_slot(candidates_.closed(), [&](unsigned wanted) {
    next = std::min(next, dispatch_.free_from(static_cast<Resource>(wanted), now + 1));
  });
  return next;
}

}  // namespace shflsim::model
