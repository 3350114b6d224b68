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
  if (!is_back || others_.empty() || ++jumps_back_ <= kPatience) return;
  jumps_back_ = 0;
  if (others_.ready() == 0) return;
  stop({pc_, active_, Wait::kLate, 0});
  resume();
}

void Convergence::scatter(LaneMask lanes, const std::array<uint32_t, kLanes>& targets) {
  for_each_lane(lanes, [&](unsigned lane) { targets_[lane] = targets[lane]; });
  const LaneMask others = active_ & ~lanes;
  if (lanes != 0 && __builtin_popcount(lanes) < __builtin_popcount(others)) {
    part(others, pc_);
  } else if (others != 0) {
    stop({pc_, lanes, Wait::kJump, 0});
    return;
  }
  go_to_targets();
}

/// Of the running lanes those with one target continue there, and the others stay at the jump. The
/// target is that of the lowest lane, unless more than half of the lanes have it.
void Convergence::go_to_targets() {
  const LaneMask running = active_;
  for (LaneMask left = running; left != 0;) {
    const uint32_t target = targets_[static_cast<unsigned>(__builtin_ctz(left))];
    const LaneMask same =
        running & lanes_where([&](unsigned lane) { return targets_[lane] == target; });
    left &= ~same;
    if (2 * __builtin_popcount(same) > __builtin_popcount(running) && same != running) continue;
    stop({pc_, running & ~same, Wait::kJump, 0});
    return go_to(target);
  }
}

void Convergence::part(LaneMask lanes, uint32_t target) {
  active_ &= ~lanes;
  others_.add({target, lanes, Wait::kNone, 0});
}

void Convergence::exit(LaneMask lanes) { active_ &= ~lanes; }

void Convergence::yield() {
  if (active_ == 0 || others_.empty()) return;
  stop({pc_, active_, Wait::kYielded, 0});
  resume();
}

void Convergence::leave_barrier(unsigned number, LaneMask lanes) {
  barriers.remove(number, lanes);
  const LaneMask members = barriers[number];
  const LaneGroup like{pc_, members, Wait::kBarrier, number};
  const LaneMask waiting = others_.waiting_like(like) & members;
  if (waiting == 0 || !is_complete(like)) return;
  if (__builtin_popcount(waiting) < __builtin_popcount(active_)) part(LaneMask{active_}, pc_);
  release_complete();
  resume();
}

void Convergence::wait_at_barrier(unsigned number, LaneMask lanes) {
  const LaneMask members = barriers[number];
  if ((members & lanes) == 0) return;
  const LaneGroup group{pc_, lanes, Wait::kBarrier, number};
  const LaneMask waiting = others_.waiting_like(group) & members;
  const LaneMask excused = others_.held_by_warpsync() | others_.yielded();
  if ((members & alive() & ~(lanes | waiting | excused)) != 0) {
    stop({pc_, lanes & members, Wait::kBarrier, number});
    resume();
    return;
  }
  const bool meet = barriers.is_of_one_bssy(number);
  barriers.set(number, 0);
  others_.wake({0, members, Wait::kYielded, 0}, members);
  const LaneMask here = others_.lanes_of([&](const LaneGroup& other) {
    return other.waits_like(group) && (other.lanes & members) != 0 && (meet || other.pc == pc_);
  });
  others_.remove(group, here);
  others_.wake(group, members);
  if (waiting != 0) part(lanes | here, pc_);
  move_pointer(active_);
  resume();
}

/// Stops the lanes of each set, and returns the lanes of the sets whose members are now there.
std::vector<LaneMask> Convergence::stop_sets(const std::vector<LaneSet>& sets, Wait wait) {
  std::vector<LaneMask> complete;
  for (const LaneSet& set : in_turn(sets)) {
    const LaneGroup group{pc_, set.lanes, wait, set.members};
    stop(group);
    if (!is_complete(group)) continue;
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
  const size_t last = order.size();
  add_by_end(active_ & ~came_last_);
  if (order.size() == 1) return go_to(order.front().pc);
  active_ = 0;
  for (size_t i = last; i < order.size(); ++i) others_.add_behind(order[i].lanes, order[i].pc);
  for (size_t i = last; i-- > 0;) others_.add(order[i]);
  resume();
}

bool Convergence::resume() {
  if (active_ != 0) return true;
  release_complete();
  LaneGroup top;
  if (!others_.take_top(&top)) return run_from_pointer();
  run(top);
  return true;
}

void Convergence::run(const LaneGroup& group) {
  pc_ = group.pc;
  active_ = group.lanes;
  jumps_back_ = 0;
  const auto is_at_same_bsync = [this](const LaneGroup& other) {
    return other.wait == Wait::kBarrier && other.pc == pc_ + 1;
  };
  if (group.wait == Wait::kNone)
    move_pointer(active_ | others_.lanes_of(is_at_same_bsync));
  else if (group.wait != Wait::kApart)
    move_pointer(active_);
  else if (group.detail != 0)
    move_pointer(group.detail);
  if (group.wait == Wait::kJump) go_to_targets();
}

/// If the pointer is at a lane that runs or has ended, it moves to the next lane that does not run.
void Convergence::move_pointer(LaneMask running) {
  const LaneMask rest = others_.lanes() & ~running;
  while (rest != 0 && !bit_of(rest, pointer_)) pointer_ = (pointer_ + 1) % kLanes;
}

void Convergence::stop(const LaneGroup& group) {
  if (group.lanes == 0) return;
  active_ &= ~group.lanes;
  others_.add(group);
}

/// True if the group waits for no lane but those that wait with it. A function may save a
/// convergence barrier and use it itself: lanes outside then wait for other members.
bool Convergence::is_complete(const LaneGroup& group) const {
  const bool is_barrier = group.wait == Wait::kBarrier;
  const LaneMask members = is_barrier ? barriers[group.detail] : group.detail;
  if (is_barrier && (group.lanes & ~members) != 0) return false;
  return (members & alive() & ~others_.waiting_like(group)) == 0;
}

/// Releases the groups at barriers and collective operations that no longer wait for any lane.
void Convergence::release_complete() {
  const auto goes = [this](const LaneGroup& group) {
    const bool is_meant = group.wait == Wait::kBarrier || group.wait == Wait::kCollective;
    return is_meant && is_complete(group);
  };
  for (;;) {
    const auto found = std::find_if(others_.begin(), others_.end(), goes);
    if (found == others_.end()) return;
    const LaneGroup last = *found;
    if (last.wait == Wait::kBarrier) {
      others_.release(last, barriers[last.detail]);
      barriers.set(last.detail, 0);
    } else {
      const LaneMask lanes = others_.waiting_like(last);
      others_.remove(last);
      part(lanes, last.pc);
    }
  }
}

/// Runs the next lanes whose turn it is. The pointer passes lanes that cannot run. False if none
/// can.
bool Convergence::run_from_pointer() {
  const unsigned start = pointer_;
  for (unsigned i = 0; i < kLanes; ++i) {
    pointer_ = (start + i) % kLanes;
    const LaneGroup* group = others_.find(pointer_);
    if (group != nullptr && run_turn_of(LaneGroup{*group})) return true;
  }
  pointer_ = start;
  return false;
}

/// Runs the lanes of a group that is not on the stack and those that are ready with it. False if
/// it cannot run.
bool Convergence::run_turn_of(const LaneGroup& group) {
  if (group.waits_at_one_place()) {
    if (!is_complete(group)) return false;
    release_warpsync(group);
    resume();
    move_pointer(active_);
    return true;
  }
  const bool is_barrier = group.wait == Wait::kBarrier;
  if (!group.is_off_stack() && !is_barrier) return false;
  if (is_barrier) barriers.set(group.detail, 0);
  run({group.pc,
       others_.take_at(group.pc,
                       [&](const LaneGroup& other) {
                         return is_barrier ? other.waits_like(group) : other.is_off_stack();
                       }),
       Wait::kNone, 0});
  return true;
}

/// Releases the lanes at one WARPSYNC whose members are all there.
void Convergence::release_warpsync(const LaneGroup& first) {
  std::vector<LaneSet> sets;
  LaneMask all = 0;
  const auto add = [&](const LaneGroup& group) {
    sets.push_back({group.detail, others_.waiting_like(group)});
    all |= sets.back().lanes;
  };
  add(first);
  for (const LaneGroup& group : others_) {
    const bool is_there = group.wait == first.wait && group.pc == first.pc;
    if (first.wait != Wait::kExclusive || !is_there) continue;
    if ((group.lanes & all) == 0 && is_complete(group)) add(group);
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
}

}  // namespace shflsim::isa
