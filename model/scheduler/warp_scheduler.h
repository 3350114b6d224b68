// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <memory>
#include <utility>

#include "model/dispatch/dispatch.h"
#include "model/scheduler/candidates.h"
#include "model/scheduler/scheduling_policy.h"

namespace shflsim::model {

/// Warp scheduler of a sub-partition: decides in each cycle what every warp waits for, and which
/// eligible warp issues. A warp is examined only when its time comes or when something that it
/// waits for changes.
///
///   woken -> own time? -> earlier results? -> constants? -> pipes and queues? -> eligible ->
///   policy
class WarpScheduler : public Module {
 public:
  WarpScheduler(const sc_core::sc_module_name& name, std::unique_ptr<SchedulingPolicy> policy,
                Warps& warps, const Dispatch& dispatch, Dependence& dependence, Fetch& fetch);

  const char* kind() const override { return "WarpScheduler"; }
  const char* hardware() const override { return "warp scheduler: one issue a cycle"; }
  const char* section() const override { return "scheduler"; }

  sc_core::sc_port<ConstantSource> constant_memory;

  /// A warp of a block has started, which may issue from `ready` on.
  void start(unsigned slot, uint32_t block, Cycle ready);
  /// The scoreboards of these warps have changed: a warp may be blocked now, or not any more.
  void look_again(SlotMask slots) { look_ |= slots & (blocked_ | candidates_.all()); }

  /// Updates the state of every warp at `now`; returns the warps that could issue.
  SlotMask eligible(Cycle now);
  /// Chooses one of the eligible warps.
  unsigned choose(SlotMask eligible, Cycle now);
  /// The warp issues at `now`: charges it, and removes it from its set until settle().
  void take(unsigned slot, Warps::Warp& warp, Cycle now);
  /// True if the next instruction of the warp that has just issued also issues in this cycle.
  bool takes_second(unsigned slot, Cycle now);
  /// Adds the warp that has issued to its new set. `may_stop`: it may have exited, or stopped.
  void settle(unsigned slot, Warps::Warp& warp, Cycle now, bool may_stop = true);

  // What delays the warp that is issuing.
  void sit_out(unsigned slot, Cycle until, WarpState state = WarpState::kWait) {
    ready_[slot] = until + lead_;
    ready_state_[slot] = state;
  }
  /// The warp does not issue before `until`, in this state unless something else takes that long.
  /// `goes_on`: the number of cycles of this time that also pass while issue is frozen.
  void hold_back(unsigned slot, Cycle until, WarpState state, Cycle goes_on = 0) {
    if (until + lead_ <= ready_[slot]) return;
    ready_[slot] = until + lead_;
    ready_state_[slot] = state;
    if (goes_on != 0) freeze_.add(slot, goes_on);
  }
  /// The warp does not issue until leave_barrier(), in this state.
  void stop(unsigned slot, WarpState state) {
    at_barrier_ |= slot_bit(slot);
    stop_state_[slot] = state;
  }

  void leave_barrier(unsigned slot, Cycle release, Cycle now);
  /// The chosen warp has to wait for others: its step has not taken effect.
  [[gnu::cold]] void turn_away(unsigned slot, Cycle now);
  /// Issue is frozen for some cycles after `now`.
  void freeze(Cycle now, Cycle cycles) {
    freeze_.until = now + 1 + cycles;
    lead_ -= cycles;
    if (sleeping_ != 0) next_ready_ += cycles;
    if ((at_barrier_ | freeze_.slots) == 0) return;
    if (const SlotMask goes_on = next_up_ & freeze_.slots; goes_on != 0) {
      next_up_ &= ~goes_on;
      sleeping_ |= goes_on;
      next_ready_ = std::min(next_ready_, freeze_.until);
    }
    for_each_slot(at_barrier_, [&](unsigned slot) {  // a time that has come stays in its cycle
      if (ready_[slot] - cycles <= now + lead_) ready_[slot] -= cycles;
    });
    for_each_slot(sleeping_ & freeze_.slots, [&](unsigned slot) {
      ready_[slot] -= freeze_.pass(slot, cycles);
      next_ready_ = std::min(next_ready_, ready_[slot] - lead_);
    });
  }

  // When to examine the warps again.
  /// First cycle in which a scoreboard changes that a warp may wait for. While there is none, such
  /// changes take effect when warps are next examined.
  Cycle next_result() const {
    return (blocked_ | candidates_.all()) != 0 ? dependence_.due() : kNever;
  }
  /// True if a warp must be examined in the cycle after `now`. An issue opens and closes what
  /// others wait for, unless issue is frozen after it.
  bool is_busy(bool has_issued, Cycle now) {
    if ((next_up_ | look_) != 0 && (look_ != 0 || freeze_.until <= now + 1)) return true;
    if (!has_issued || candidates_.all() == 0) return false;
    if (freeze_.until <= now + 1 || warps_.watch != nullptr) return true;
    candidates_.freeze(now + 1);
    return false;
  }
  /// The earliest time at which a sleeping warp wakes, or a warp may issue after a freeze.
  Cycle next_ready() const {
    return next_up_ == 0 ? next_ready_ : std::min(next_ready_, freeze_.until);
  }
  /// First cycle after `now`, in which no warp issued, in which a resource that a warp waits for
  /// may be free or a deferred barrier open.
  Cycle next_of_awake(Cycle now) const {
    if ((candidates_.all() | held_) == 0) return kNever;
    const bool is_frozen = held_ == 0 && candidates_.is_frozen();
    return is_frozen ? std::max(freeze_.until, now + 1) : look_for_next(now);
  }
  /// The warps that could issue or wait for a resource.
  Candidates& candidates() { return candidates_; }

 private:
  friend class IssueRow;  ///< a cycle with less work

  /// A time in which issue is frozen, and warps whose time goes on for some cycles meanwhile.
  struct Freeze {
    Cycle until = 0;  ///< first cycle in which issue is not frozen
    SlotMask slots = 0;
    std::array<Cycle, kMostSlots> left{};  ///< at most so many more

    void add(unsigned slot, Cycle cycles) {
      slots |= slot_bit(slot);
      left[slot] = cycles;
    }
    /// Returns how many of these cycles count.
    Cycle pass(unsigned slot, Cycle cycles) {
      const Cycle passed = std::min(cycles, left[slot]);
      left[slot] -= passed;
      return passed;
    }
  };
  /// New candidates of this cycle, and those of them whose resource is free.
  struct Arrived {
    SlotMask all = 0;
    SlotMask open = 0;
  };

  Cycle look_for_next(Cycle now) const;
  WarpState blocker(unsigned slot, Cycle now) const;
  void look_at_woken(SlotMask slots, Cycle now);
  bool misses_constant(unsigned slot, Cycle now);
  void look_at(unsigned slot, Cycle now);
  SlotMask take_look(Cycle now);
  void join(Cycle now);
  void sleep(unsigned slot) {
    sleeping_ |= slot_bit(slot);
    next_ready_ = std::min(next_ready_, ready_[slot] - lead_);
  }

  Warps& warps_;
  const Dispatch& dispatch_;
  Dependence& dependence_;
  Fetch& fetch_;
  const std::unique_ptr<SchedulingPolicy> policy_;

  // Each resident warp that has not exited is in exactly one of these sets between cycles.
  SlotMask next_up_ = 0;     ///< just issued, may issue again in the next cycle of issue
  SlotMask sleeping_ = 0;    ///< may issue from its ready_ on
  SlotMask at_barrier_ = 0;  ///< waits at a barrier
  SlotMask held_ = 0;      ///< waits after a deferred barrier, or for its group: Warp::held_until()
  SlotMask blocked_ = 0;   ///< waits for a result
  Candidates candidates_;  ///< warps that are ready themselves

  Arrived arrived_;

  SlotMask look_ = 0;       ///< to examine in the next cycle: blocked warps and candidates again...
  SlotMask came_ = 0;       ///< ...new warps, and warps that a barrier released: perhaps too early
  SlotMask unfetched_ = 0;  ///< first instruction not yet requested
  /// Earliest next issue, as a time that stops while issue is frozen; until then the warp's state
  /// is ready_state_.
  std::array<Cycle, kMostSlots> ready_{};
  Cycle lead_ = Cycle{1} << 48;  ///< difference between this time and the cycle
  Cycle next_ready_ = kNever;    ///< cycle of the earliest ready_ of sleeping warps
  Freeze freeze_;
  std::array<WarpState, kMostSlots> ready_state_{};
  std::array<WarpState, kMostSlots> stop_state_{};  ///< state of a warp in at_barrier_

  IssueCandidates choice_;
  SlotMask used_ = 0;         ///< slots that have had a warp
  Cycle last_clock_ = lead_;  ///< time of the last issue, like ready_
  uint64_t started_ = 0;
};

// These functions are called in every cycle or for every issue.

[[gnu::always_inline]] inline SlotMask WarpScheduler::eligible(Cycle now) {
  if (freeze_.until > now) {
    join(now);
    return 0;
  }
  arrived_ = {};
  look_at_woken(std::exchange(next_up_, 0), now);
  assert(are_apart({sleeping_, at_barrier_, held_, blocked_, candidates_.all(), arrived_.all},
                   warps_.resident & ~warps_.exited) &&
         "a warp that has not exited is in exactly one set");
  const bool any = candidates_.all() != 0;
  const uint32_t closed = any ? dispatch_.closed(candidates_.wanted(), now) : 0;
  candidates_.close(closed, now);
  SlotMask open = arrived_.open | candidates_.all();
  for_each_slot(closed, [&](unsigned each) { open &= ~candidates_.of(each); });
  if (open == 0 && arrived_.all != 0) candidates_.add_all(arrived_.all, arrived_.open, now);
  return open;
}

/// Looks at the warps of `slots`, and at those that wake.
[[gnu::always_inline]] inline void WarpScheduler::look_at_woken(SlotMask slots, Cycle now) {
  for_each_slot(held_, [&](unsigned slot) {
    if (warps_.warp[slot].held_until() <= now) look_ |= slot_bit(slot);
  });
  if (next_ready_ <= now) {
    next_ready_ = kNever;
    for_each_slot(sleeping_, [&](unsigned slot) {
      const Cycle ready = ready_[slot] - lead_;
      if (ready <= now)
        slots |= slot_bit(slot);
      else
        next_ready_ = std::min(next_ready_, ready);
    });
    sleeping_ &= ~slots;
    freeze_.slots &= ~slots;
    if (unfetched_ != 0) {
      came_ |= slots & unfetched_;
      look_ |= slots & unfetched_;
      slots &= ~unfetched_;
    }
  }
  if (look_ != 0) slots |= take_look(now);
  for_each_slot(slots, [&](unsigned slot) { look_at(slot, now); });
}

/// Adds a warp whose time has come, and which is in no set, to its set and updates its state, or
/// examines a candidate again. A new candidate that does not issue in this cycle is added
/// afterwards.
inline void WarpScheduler::look_at(unsigned slot, Cycle now) {
  const IssueRecord& record = *warps_.warp[slot].record;
  if (record.may_wait) {
    const WarpState state = blocker(slot, now);
    if (state != WarpState::kSelected) {
      candidates_.drop(slot, now);
      const bool is_held = state == WarpState::kBarrier || warps_.warp[slot].waits_for_group(now);
      (is_held ? held_ : blocked_) |= slot_bit(slot);
      return warps_.warp[slot].enter(state, now);
    }
    if (record.asks_constant && misses_constant(slot, now)) return;
  }
  if (has_slot(candidates_.all(), slot)) return;
  arrived_.all |= slot_bit(slot);
  if (dispatch_.is_open(record.resource, now)) arrived_.open |= slot_bit(slot);
}

/// The state of a warp that waits after a deferred barrier or for an earlier result of its own;
/// kSelected if it does not wait.
inline WarpState WarpScheduler::blocker(unsigned slot, Cycle now) const {
  const IssueRecord& record = *warps_.warp[slot].record;
  if (record.waits_behind_barrier && warps_.warp[slot].waits_for_barrier(now))
    return WarpState::kBarrier;
  if (warps_.warp[slot].waits_for_group(now)) return WarpState::kGmma;
  if ((dependence_.pending(slot) & record.dependence.asks) == 0) return WarpState::kSelected;
  return dependence_.blocker(slot, *record.facts, now);
}

inline unsigned WarpScheduler::choose(SlotMask eligible, Cycle now) {
  auto chosen = static_cast<unsigned>(__builtin_ctz(eligible));
  const bool is_only = (eligible & (eligible - 1)) == 0;
  if (!is_only || !policy_->is_stateless) {
    choice_.eligible = eligible;
    choice_.last_ago = now + lead_ - last_clock_;
    chosen = policy_->choose(choice_);
  }
  assert(has_slot(eligible, chosen) && "a policy takes one of the warps that it is given");
  const SlotMask waiting = arrived_.all & ~slot_bit(chosen);
  if (waiting != 0) candidates_.add_all(waiting, arrived_.open, now);
  return chosen;
}

inline void WarpScheduler::take(unsigned slot, Warps::Warp& warp, Cycle now) {
  if (has_slot(candidates_.all(), slot))
    candidates_.remove(slot, now);
  else
    warp.charge(now);
  warp.select(now);
  if (!has_slot(choice_.issued, slot)) {
    warp.totals->first_issue = now;
    choice_.issued |= slot_bit(slot);
  }
  choice_.last = slot;
  choice_.last_yields = warp.record->yields;
  last_clock_ = now + lead_;
}

[[gnu::always_inline]] inline void WarpScheduler::settle(unsigned slot, Warps::Warp& warp,
                                                         Cycle now, bool may_stop) {
  if (may_stop && has_slot(warps_.exited | at_barrier_, slot)) {
    const bool has_exited = has_slot(warps_.exited, slot);
    if (has_exited) at_barrier_ &= ~slot_bit(slot);
    warp.state = has_exited ? WarpState::kDrain : stop_state_[slot];
    return;
  }
  if (ready_[slot] == now + 1 + lead_)
    next_up_ |= slot_bit(slot);
  else
    sleep(slot);
  warp.state = ready_state_[slot];
}

}  // namespace shflsim::model
