// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/convergence.h"

#include <algorithm>

namespace shflsim::isa {

LaneMask Convergence::alive() const {
  LaneMask lanes = active_;
  for (const Group& group : others_) lanes |= group.lanes;
  return lanes;
}

void Convergence::branch(LaneMask taken, uint32_t target, uint32_t next, bool taken_first) {
  const LaneMask others = active_ & ~taken;
  const bool runs_taken = others == 0 || (taken != 0 && taken_first);
  if (taken != 0 && others != 0) part(runs_taken ? others : taken, runs_taken ? next : target);
  const uint32_t to = runs_taken ? target : next;
  const bool is_back = to < next;
  pc_ = to;
  if (!is_back || others_.empty()) return;
  if (++jumps_back_ > kPatience) yield();
}

void Convergence::part(LaneMask lanes, uint32_t target) {
  active_ &= ~lanes;
  others_.push_back({target, lanes, Wait::kNone, 0});
}

void Convergence::exit(LaneMask lanes) {
  active_ &= ~lanes;
  if (!others_.empty()) release_complete();
}

void Convergence::yield() {
  jumps_back_ = 0;
  if (active_ == 0 || !has_ready()) return;
  others_.insert(others_.begin(), {pc_, active_, Wait::kNone, 0});
  active_ = 0;
  resume();
}

void Convergence::set_barrier(unsigned barrier, LaneMask lanes, LaneMask members) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1u) != 0) barriers_[barrier][lane] = members;
  }
}

void Convergence::leave_barrier(unsigned barrier, LaneMask lanes) {
  for (LaneMask& members : barriers_[barrier]) members &= ~lanes;
  release_complete();
}

void Convergence::wait_at_barrier(unsigned barrier, LaneMask lanes) {
  LaneMask waiting = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const LaneMask self = 1u << lane;
    if ((lanes & self) != 0 && (barriers_[barrier][lane] & self) != 0) waiting |= self;
  }
  stop(waiting, Wait::kBarrier, barrier);
}

void Convergence::wait_for_lanes(LaneMask members, LaneMask lanes) {
  stop(lanes, Wait::kMembers, members);
}

void Convergence::wait_for_block(uint8_t barrier, LaneMask lanes) {
  stop(lanes, Wait::kBlock, barrier);
}

bool Convergence::release_block(uint8_t barrier) {
  const LaneMask lanes = waiting(Wait::kBlock, barrier);
  release(Wait::kBlock, barrier, lanes);
  return lanes != 0;
}

LaneMask Convergence::waiting_for_block() const {
  LaneMask lanes = 0;
  for (const Group& group : others_) lanes |= group.wait == Wait::kBlock ? group.lanes : 0;
  return lanes;
}

bool Convergence::resume() {
  if (active_ != 0) return true;
  const auto is_ready = [](const Group& group) { return group.wait == Wait::kNone; };
  const auto next = std::find_if(others_.rbegin(), others_.rend(), is_ready);
  if (next == others_.rend()) return false;
  pc_ = next->pc;
  jumps_back_ = 0;
  const auto joins = [this, &is_ready](const Group& group) {
    const bool here = is_ready(group) && group.pc == pc_;
    if (here) active_ |= group.lanes;
    return here;
  };
  others_.erase(std::remove_if(others_.begin(), others_.end(), joins), others_.end());
  return true;
}

uint32_t Convergence::waiting_pc() const { return others_.empty() ? 0 : others_.front().pc; }

/// The common case, that all the others wait already, lets them go on at once.
void Convergence::stop(LaneMask lanes, Wait wait, uint32_t detail) {
  const bool all_are_here = lanes == active_ && others_.empty() && wait != Wait::kBlock;
  if (lanes == 0 || all_are_here) return;
  active_ &= ~lanes;
  others_.push_back({pc_, lanes, wait, detail});
  release_complete();
  if (active_ == 0) resume();
}

void Convergence::release(Wait wait, uint32_t detail, LaneMask lanes) {
  for (Group& group : others_) {
    if (group.wait != wait || group.detail != detail || (group.lanes & lanes) == 0) continue;
    group.wait = Wait::kNone;
    if (wait != Wait::kBarrier) continue;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((group.lanes >> lane & 1u) != 0) barriers_[detail][lane] = 0;
    }
  }
}

/// Lets go whoever waits for nobody any more.
void Convergence::release_complete() {
  const LaneMask all = alive();
  for (size_t i = 0; i < others_.size(); ++i) {
    const Group group = others_[i];
    if (group.wait != Wait::kBarrier && group.wait != Wait::kMembers) continue;
    const LaneMask members = awaited(group) & all;
    if ((members & ~waiting(group.wait, group.detail)) == 0)
      release(group.wait, group.detail, members | group.lanes);
  }
}

bool Convergence::has_ready() const {
  return std::any_of(others_.begin(), others_.end(),
                     [](const Group& group) { return group.wait == Wait::kNone; });
}

LaneMask Convergence::waiting(Wait wait, uint32_t detail) const {
  LaneMask lanes = 0;
  for (const Group& group : others_) {
    if (group.wait == wait && group.detail == detail) lanes |= group.lanes;
  }
  return lanes;
}

LaneMask Convergence::awaited(const Group& group) const {
  if (group.wait == Wait::kMembers) return group.detail;
  LaneMask lanes = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((group.lanes >> lane & 1u) != 0) lanes |= barriers_[group.detail][lane];
  }
  return lanes;
}

}  // namespace shflsim::isa
