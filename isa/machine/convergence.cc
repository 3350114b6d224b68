// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/convergence.h"

#include <algorithm>
#include <utility>

#include "isa/lanes/lane_bits.h"
#include "isa/machine/address_space.h"

namespace shflsim::isa {
namespace {

/// The order in which the sets run. As on an H200 the next is that with the lowest lane, unless it
/// is more than half of the lanes that are left.
std::vector<LaneSet> in_turn(std::vector<LaneSet> sets) {
  std::vector<LaneSet> order;
  while (!sets.empty()) {
    int left = 0;
    for (const LaneSet& set : sets) left += __builtin_popcount(set.lanes);
    const auto next = std::find_if(sets.begin(), sets.end(), [&](const LaneSet& set) {
      return sets.size() == 1 || 2 * __builtin_popcount(set.lanes) <= left;
    });
    order.push_back(*next);
    sets.erase(next);
  }
  return order;
}

/// True if all running lanes are in one set, and wait for no other lane.
bool is_alone(const std::vector<LaneSet>& sets, const Convergence& flow) {
  const LaneSet& first = sets.front();
  return first.lanes == flow.active() && (first.members & flow.alive() & ~flow.active()) == 0;
}

}  // namespace

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

void Convergence::exit(LaneMask lanes) { active_ &= ~lanes; }

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
    if (++rounds_stood_back_ > kPatience) release_barrier(absent, false);
  }
  yield();
}

void Convergence::leave_barrier(unsigned number, LaneMask lanes) {
  barriers.set(number, barriers[number] & ~lanes);
  const LaneMask members = barriers[number];
  const LaneGroup like{pc_, members, Wait::kBarrier, number};
  if ((others_.waiting_like(like) & members) == 0 || !is_complete(like, 0)) return;
  part(LaneMask{active_}, pc_);
  release_complete();
  resume();
}

void Convergence::wait_at_barrier(unsigned number, LaneMask lanes, bool is_reliable) {
  const LaneMask members = barriers[number];
  if ((members & lanes) == 0) return;
  reliable_ = (reliable_ & ~(1u << number)) | (is_reliable ? 1u << number : 0);
  const LaneGroup group{pc_, lanes, Wait::kBarrier, number};
  const LaneMask waiting = others_.waiting_like(group) & members;
  const LaneMask absent = members & alive() & ~(lanes | waiting | others_.held_by_warpsync());
  if (absent != 0) {
    stop({pc_, lanes & members, Wait::kBarrier, number});
  } else {
    barriers.set(number, 0);
    if (waiting == 0) return;
    const LaneMask here = others_.lanes_of([&](const LaneGroup& other) {
      return other.waits_like(group) && (other.lanes & members) != 0 && other.pc == pc_;
    });
    others_.remove({pc_, here, Wait::kBarrier, number}, here);
    others_.release(group, members);
    part(lanes | here, pc_);
  }
  resume();
}

/// Stops the lanes of each set, and returns the lanes of the sets whose members are now there.
std::vector<LaneMask> Convergence::stop_sets(const std::vector<LaneSet>& sets, Wait wait) {
  std::vector<LaneMask> complete;
  for (const LaneSet& set : in_turn(sets)) {
    const LaneGroup group{pc_, set.lanes, wait, set.members};
    stop(group);
    if (!is_complete(group, 0)) continue;
    complete.push_back(others_.waiting_like(group));
    others_.remove(group);
  }
  return complete;
}

void Convergence::wait_for_lanes(const std::vector<LaneSet>& sets) {
  const LaneMask running = active_;
  LaneMask met = 0;
  std::vector<LaneMask> alone;
  for (const LaneMask set : stop_sets(sets, Wait::kMembers)) {
    if ((set & ~running) == 0) alone.push_back(set);
    met |= (set & ~running) != 0 ? set : 0;
  }
  stop({pc_, met, Wait::kPassed, met});
  others_.add_ready(alone, pc_);
  resume();
}

void Convergence::wait_exclusively(const std::vector<LaneSet>& sets) {
  if (is_alone(sets, *this)) return;
  const bool all_are_here = std::all_of(sets.begin(), sets.end(), [&](const LaneSet& set) {
    return (set.members & alive() & ~set.lanes) == 0;
  });
  if (all_are_here) {
    others_.add_ready(stop_sets(sets, Wait::kExclusive), pc_);
  } else {
    for (const LaneSet& set : sets) stop({pc_, set.lanes, Wait::kExclusive, set.members});
  }
  resume();
}

void Convergence::wait_for_collective(const std::vector<LaneSet>& sets, uint32_t end) {
  LaneMask lanes = 0;
  for (const LaneSet& set : sets) lanes |= set.lanes;
  for_each_lane(lanes, [&](unsigned lane) { ends_[lane] = end; });
  came_last_ |= lanes;
  if (is_alone(sets, *this)) return;
  const std::vector<LaneMask> complete = stop_sets(sets, Wait::kCollective);
  for (const LaneMask set : complete) came_last_ &= ~set | lanes;
  others_.add_ready(complete, pc_);
  resume();
}

void Convergence::end_collective() {
  const auto end_of = [this](unsigned lane) { return ends_[lane] == kNowhere ? pc_ : ends_[lane]; };
  std::vector<LaneGroup> order;
  const auto add_by_end = [&](LaneMask lanes) {
    while (lanes != 0) {
      const uint32_t end = end_of(static_cast<unsigned>(__builtin_ctz(lanes)));
      const LaneMask same = lanes & lanes_where([&](unsigned lane) { return end_of(lane) == end; });
      lanes &= ~same;
      order.push_back({end, same, Wait::kNone, 0});
    }
  };
  add_by_end(active_ & came_last_);
  add_by_end(active_ & ~came_last_);
  if (order.size() == 1) return go_to(order.front().pc);
  for (auto group = order.rbegin(); group != order.rend(); ++group) part(group->lanes, group->pc);
  resume();
}

void Convergence::wait_for_block(uint8_t barrier, LaneMask lanes) {
  stop({pc_, lanes, Wait::kBlock, barrier});
  resume();
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
  const LaneMask lanes = others_.waiting_like(like);
  others_.release(like, lanes);
  return lanes != 0;
}

bool Convergence::resume() {
  if (active_ != 0) return true;
  LaneGroup next;
  release_complete();
  while (!others_.take_ready(&next)) {
    if (!release_any()) return false;
  }
  pc_ = next.pc;
  active_ = next.lanes;
  jumps_back_ = 0;
  return true;
}

void Convergence::stop(const LaneGroup& group) {
  if (group.lanes == 0) return;
  active_ &= ~group.lanes;
  stood_back_ = 0;
  rounds_stood_back_ = 0;
  others_.add(group);
}

/// True if the group waits for no lane but those that wait with it, and `absent` ones. A function
/// may save a convergence barrier and use it itself: lanes outside then wait for other members.
bool Convergence::is_complete(const LaneGroup& group, LaneMask absent) const {
  const bool is_barrier = group.wait == Wait::kBarrier;
  const LaneMask members = is_barrier ? barriers[group.detail] : group.detail;
  if (is_barrier && (group.lanes & ~members) != 0) return false;
  return (members & alive() & ~(others_.waiting_like(group) | absent)) == 0;
}

/// Releases the groups that no longer wait for any lane, but for those at a plain or EXCLUSIVE
/// WARPSYNC.
void Convergence::release_complete() {
  const auto goes = [this](const LaneGroup& group) {
    return group.wait == Wait::kCollective && is_complete(group, 0);
  };
  while (release_barrier(0, true)) {
  }
  for (;;) {
    const auto found = std::find_if(others_.begin(), others_.end(), goes);
    if (found == others_.end()) return;
    const LaneGroup last = *found;
    const LaneMask lanes = others_.waiting_like(last);
    others_.remove(last);
    part(lanes, last.pc);
  }
}

/// What happens when no group is ready. Lanes at a convergence barrier do not wait for lanes that a
/// WARPSYNC holds, unless lanes wait for the block, since these may still arrive. Lanes that are no
/// longer members of their barrier, because others have cleared it, continue.
bool Convergence::release_any() {
  const bool waits_for_block = others_.waiting_for_block() != 0;
  const LaneMask held = others_.held_by_warpsync();
  if (held != 0 && !waits_for_block && release_barrier(held, true)) return true;
  if (release_warpsync()) return true;
  if (waits_for_block) return false;
  const auto outside = std::find_if(others_.begin(), others_.end(), [this](const LaneGroup& group) {
    return group.wait == Wait::kBarrier && (group.lanes & barriers[group.detail]) == 0;
  });
  if (outside == others_.end()) return release_barrier(others_.lanes(), true, reliable_);
  others_.release(LaneGroup{*outside}, LaneMask{outside->lanes});
  return true;
}

/// Releases lanes that wait at one of the convergence barriers only for `absent` lanes. If the
/// barrier dissolves, lanes that reach it later do not wait.
bool Convergence::release_barrier(LaneMask absent, bool dissolves, uint32_t numbers) {
  const auto found = std::find_if(others_.begin(), others_.end(), [&](const LaneGroup& group) {
    return group.wait == Wait::kBarrier && bit_of(numbers, group.detail) &&
           is_complete(group, absent);
  });
  if (found == others_.end()) return false;
  const LaneGroup group = *found;
  const LaneMask members = barriers[group.detail];
  barriers.set(group.detail, dissolves ? 0 : members & ~others_.waiting_like(group));
  others_.release(group, members);
  rounds_stood_back_ = 0;
  return true;
}

/// Releases the lanes at one WARPSYNC whose members are all there.
bool Convergence::release_warpsync() {
  const auto found = std::find_if(others_.begin(), others_.end(), [this](const LaneGroup& group) {
    return group.waits_at_one_place() && is_complete(group, 0);
  });
  if (found == others_.end()) return false;
  const LaneGroup first = *found;
  std::vector<LaneSet> sets;
  LaneMask all = 0;
  for (const LaneGroup& group : others_) {
    const bool is_there = group.wait == first.wait && group.pc == first.pc;
    if (!is_there || (group.lanes & all) != 0 || !is_complete(group, 0)) continue;
    sets.push_back({group.detail, others_.waiting_like(group)});
    all |= sets.back().lanes;
    if (first.wait != Wait::kExclusive) break;
  }
  std::sort(sets.begin(), sets.end(), [](const LaneSet& a, const LaneSet& b) {
    return __builtin_ctz(a.lanes) < __builtin_ctz(b.lanes);
  });
  std::vector<LaneMask> lanes;
  for (const LaneSet& set : in_turn(sets)) {
    others_.remove({first.pc, set.lanes, first.wait, set.members});
    lanes.push_back(set.lanes);
  }
  others_.add_ready(lanes, first.pc);
  return true;
}

}  // namespace shflsim::isa
