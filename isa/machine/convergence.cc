// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/convergence.h"

#include <algorithm>

#include "isa/lanes/lane_bits.h"

namespace shflsim::isa {

void Convergence::branch(LaneMask taken, uint32_t target, uint32_t next) {
  const LaneMask others = active_ & ~taken;
  const bool jumps = __builtin_popcount(taken) < __builtin_popcount(others) || others == 0;
  if (taken != 0 && others != 0) part(jumps ? others : taken, jumps ? next : target);
  pc_ = taken != 0 && jumps ? target : next;
  const bool is_back = pc_ < next;
  if (!is_back || others_.empty()) return;
  if (++jumps_back_ > kPatience) yield();
}

void Convergence::part(LaneMask lanes, uint32_t target) {
  active_ &= ~lanes;
  others_.add({target, lanes, Wait::kNone, 0});
}

void Convergence::exit(LaneMask lanes) {
  active_ &= ~lanes;
  if (!others_.empty()) release_complete();
}

void Convergence::yield() {
  jumps_back_ = 0;
  if (active_ == 0 || others_.ready() == 0) return;
  others_.add_first({pc_, active_, Wait::kNone, 0});
  active_ = 0;
  resume();
}

void Convergence::stand_back() {
  stood_back_ |= active_;
  const LaneMask absent = others_.ready() | active_;
  if (!others_.empty() && (absent & ~stood_back_) == 0) {
    stood_back_ = 0;
    if (++rounds_stood_back_ > kPatience) release_one_without(absent, false);
  }
  yield();
}

/// Releases lanes that wait at one of the convergence barriers only for `absent` lanes. If the
/// barrier dissolves, lanes that reach it later do not wait.
bool Convergence::release_one_without(LaneMask absent, bool dissolves, uint32_t barriers) {
  const auto found = std::find_if(others_.begin(), others_.end(), [&](const LaneGroup& group) {
    return group.wait == Wait::kBarrier && bit_of(barriers, group.detail) &&
           (awaited(group) & alive() & ~waiting_with(group) & ~absent) == 0;
  });
  if (found == others_.end()) return false;
  const LaneGroup group = *found;
  const LaneMask here = waiting_with(group);
  const LaneMask members = awaited(group);
  rounds_stood_back_ = 0;
  release(group, here);
  if (dissolves) set_barrier(group.detail, members, LaneMask{0});
  for (LaneMask& mask : barriers_[group.detail]) mask &= ~here;
  return true;
}

/// As on an H100: a lane that a WARPSYNC holds may need lanes that wait for it at a convergence
/// barrier. Not done while lanes wait for the block, since these may still arrive.
bool Convergence::dissolve_one_barrier() {
  const LaneMask held = others_.held_by_warpsync();
  return held != 0 && others_.waiting_for_block() == 0 && release_one_without(held, true);
}

void Convergence::set_barrier(unsigned barrier, LaneMask lanes, LaneMask members) {
  if (barrier >= barriers_.size()) barriers_.resize(barrier + 1);
  Barrier& of = barriers_[barrier];
  for (unsigned lane = 0; lane < kLanes; ++lane)
    of[lane] = bit_of(lanes, lane) ? members : of[lane];
}

void Convergence::leave_barrier(unsigned barrier, LaneMask lanes) {
  if (barrier < barriers_.size()) {
    for (LaneMask& members : barriers_[barrier]) members &= ~lanes;
  }
  release_complete();
}

void Convergence::wait_at_barrier(unsigned barrier, LaneMask lanes, bool is_reliable) {
  if (barrier >= barriers_.size()) return;  // no lane has members to wait for
  reliable_ = (reliable_ & ~(1u << barrier)) | (is_reliable ? 1u << barrier : 0);
  const Barrier& of = barriers_[barrier];
  LaneMask left = lanes & lanes_where([&](unsigned lane) { return bit_of(of[lane], lane); });
  if (left == active_ && others_.empty()) return;
  while (left != 0) {  // one BSSY's lanes at a time
    const LaneMask members = of[static_cast<unsigned>(__builtin_ctz(left))];
    const LaneMask same = left & lanes_where([&](unsigned lane) { return of[lane] == members; });
    left &= ~same;
    stop({pc_, same, Wait::kBarrier, barrier});
  }
}

void Convergence::wait_for_lanes(LaneMask members, LaneMask lanes) {
  stop({pc_, lanes, Wait::kMembers, members});
}

void Convergence::wait_for_collective(LaneMask members, LaneMask lanes, uint32_t end) {
  for (unsigned lane = 0; lane < kLanes; ++lane)
    ends_[lane] = bit_of(lanes, lane) ? end : ends_[lane];
  stop({pc_, lanes, Wait::kCollective, members});
}

/// Lanes whose collective ends here continue first, if there are any.
void Convergence::end_collective() {
  const auto end_of = [this](unsigned lane) { return ends_[lane] == kNowhere ? pc_ : ends_[lane]; };
  const auto ending_at = [&](uint32_t end, LaneMask of) {
    return of & lanes_where([&](unsigned lane) { return end_of(lane) == end; });
  };
  const LaneMask all = active_;
  if (ending_at(pc_, all) == 0) pc_ = end_of(static_cast<unsigned>(__builtin_ctz(all)));
  for (LaneMask left = all & ~ending_at(pc_, all); left != 0;) {
    const uint32_t end = end_of(static_cast<unsigned>(__builtin_ctz(left)));
    const LaneMask same = ending_at(end, left);
    left &= ~same;
    part(same, end);
  }
}

void Convergence::wait_for_block(uint8_t barrier, LaneMask lanes) {
  stop({pc_, lanes, Wait::kBlock, barrier});
}

bool Convergence::pass_block_barrier() {
  if (active_ != 0) return true;
  const LaneGroup* only = others_.only();
  if (only == nullptr || only->wait != Wait::kBlock) return false;
  pc_ = only->pc;
  active_ = only->lanes;
  others_.clear();
  return true;
}

bool Convergence::release_block(uint8_t barrier) {
  const LaneGroup like{0, kAllLanes, Wait::kBlock, barrier};
  const LaneMask lanes = waiting_with(like);
  release(like, lanes);
  return lanes != 0;
}

bool Convergence::resume() {
  if (active_ != 0) return true;
  LaneGroup next;
  bool found = others_.take_ready(&next);
  if (!found && dissolve_one_barrier()) found = others_.take_ready(&next);
  if (!found && others_.waiting_for_block() == 0 &&
      release_one_without(others_.lanes(), true, reliable_))
    found = others_.take_ready(&next);
  if (!found) return false;
  pc_ = next.pc;
  active_ = next.lanes;
  jumps_back_ = 0;
  return true;
}

/// In the common case all other lanes already wait, and all continue at once. If the last lanes of
/// a collective leave nothing that can run, barriers dissolve first, as on an H100.
void Convergence::stop(const LaneGroup& group) {
  const bool all_are_here = group.lanes == active_ && others_.empty() && group.wait != Wait::kBlock;
  if (group.lanes == 0 || all_are_here) return;
  active_ &= ~group.lanes;
  stood_back_ = 0;
  rounds_stood_back_ = 0;
  others_.add(group);
  if (group.wait == Wait::kCollective && active_ == 0 && others_.ready() == 0) {
    while (dissolve_one_barrier()) {
    }
  }
  release_complete();
  if (active_ == 0) resume();
}

void Convergence::release(const LaneGroup& like, LaneMask lanes) {
  if (like.wait == Wait::kCollective) others_.gather(like);
  for (LaneGroup& group : others_) {
    if (!group.waits_like(like) || (group.lanes & lanes) == 0) continue;
    group.wait = Wait::kNone;
    if (like.wait == Wait::kBarrier) set_barrier(like.detail, group.lanes, LaneMask{0});
  }
  others_.join(lanes);
}

/// Releases groups whose awaited lanes have all arrived or ended.
void Convergence::release_complete() {
  const LaneMask all = alive();
  const auto is_complete = [&](const LaneGroup& group) {
    if (group.wait == Wait::kNone || group.wait == Wait::kBlock) return false;
    return (awaited(group) & all & ~waiting_with(group)) == 0;
  };
  for (;;) {
    const auto found = std::find_if(others_.begin(), others_.end(), is_complete);
    if (found == others_.end()) return;
    const LaneGroup group = *found;
    release(group, (awaited(group) & all) | group.lanes);
  }
}

/// Lanes that wait together with this group. At a convergence barrier of equal number unrelated
/// lanes may wait: a function may save the barrier and use it itself.
LaneMask Convergence::waiting_with(const LaneGroup& group) const {
  LaneMask lanes = 0;
  for (const LaneGroup& other : others_) {
    if (!other.waits_like(group)) continue;
    const bool is_barrier = group.wait == Wait::kBarrier;
    if (!is_barrier || (group.lanes & ~awaited(other)) == 0) lanes |= other.lanes;
  }
  return lanes;
}

LaneMask Convergence::awaited(const LaneGroup& group) const {
  if (group.wait != Wait::kBarrier) return group.detail;
  LaneMask lanes = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    lanes |= bit_of(group.lanes, lane) ? barriers_[group.detail][lane] : 0;
  }
  return lanes;
}

}  // namespace shflsim::isa
