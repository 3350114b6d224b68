// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/lanes/lane_map.h"

namespace shflsim::isa {

/// Lanes of a warp that are at one instruction and do not run.
struct LaneGroup {
  enum class Wait : uint8_t {
    kNone,        ///< ready, on the stack of groups
    kApart,       ///< likewise, one of the sets of a WARPSYNC that run one after another
    kJump,        ///< likewise, after a jump from which other lanes went to another place
    kBehind,      ///< likewise, after a collective operation that other lanes reached last
    kLate,        ///< ready, but not on the stack
    kYielded,     ///< YIELD, NANOSLEEP: ready, and no convergence barrier waits for the lanes
    kBarrier,     ///< BSYNC
    kMembers,     ///< WARPSYNC: for lanes at this place
    kExclusive,   ///< WARPSYNC.EXCLUSIVE: likewise, and lanes with other masks run apart
    kPassed,      ///< WARPSYNC: for no lane, but until no other group is ready
    kCollective,  ///< WARPSYNC.COLLECTIVE: for lanes at any place
  };
  uint32_t pc;  ///< index into Program::code
  LaneMask lanes;
  Wait wait;
  uint32_t detail;  ///< number of the barrier, or the lanes waited for; kApart: the lanes of
                    ///< all sets that are still at the WARPSYNC, 0 for the first set

  bool is_ready() const { return is_on_stack() || is_off_stack(); }
  bool is_on_stack() const { return wait <= Wait::kBehind; }
  bool is_off_stack() const { return wait == Wait::kLate || wait == Wait::kYielded; }
  bool is_held_by_warpsync() const { return waits_at_one_place() || wait == Wait::kCollective; }
  bool waits_at_one_place() const {
    return wait == Wait::kMembers || wait == Wait::kExclusive || wait == Wait::kPassed;
  }
  /// A WARPSYNC joins lanes of one place; barriers and collectives join lanes of several places.
  bool waits_like(const LaneGroup& other) const {
    const bool is_same = wait == other.wait && detail == other.detail;
    return is_same && (!waits_at_one_place() || pc == other.pc);
  }
};

/// All lanes of a warp that do not run, in the order in which they stopped running.
class LaneGroups {
 public:
  bool empty() const { return groups_.empty(); }
  std::vector<LaneGroup>::iterator begin() { return groups_.begin(); }
  std::vector<LaneGroup>::iterator end() { return groups_.end(); }
  std::vector<LaneGroup>::const_iterator begin() const { return groups_.begin(); }
  std::vector<LaneGroup>::const_iterator end() const { return groups_.end(); }

  void add(const LaneGroup& group) {
    groups_.push_back(group);
    top_is_whole_ |= group.is_on_stack();
  }
  /// Adds a group after a collective operation. All such groups have one place in the stack; the
  /// next to run is that which came there first, then always that with the lowest lane.
  void add_behind(LaneMask lanes, uint32_t pc);
  /// Adds ready groups of one place, which stay apart. The first runs first.
  void add_ready(const std::vector<LaneMask>& groups, uint32_t pc) {
    for (auto lanes = groups.rbegin(); lanes != groups.rend(); ++lanes)
      add({pc, *lanes, LaneGroup::Wait::kApart, 0});
  }
  /// Takes the group on top of the stack. The group that was put there last continues as it is.
  /// With a group below it all ready lanes at its place continue. False if the stack is empty.
  bool take_top(LaneGroup* group);
  /// The group of a lane; nullptr if the lane is in none.
  const LaneGroup* find(unsigned lane) const;
  /// Takes the lanes of all groups at one place for which `is_meant` is true.
  template <class F>
  LaneMask take_at(uint32_t pc, F is_meant) {
    LaneMask lanes = 0;
    const auto goes = [&](const LaneGroup& group) { return group.pc == pc && is_meant(group); };
    for (const LaneGroup& group : groups_) lanes |= goes(group) ? group.lanes : 0;
    groups_.erase(std::remove_if(groups_.begin(), groups_.end(), goes), groups_.end());
    return lanes;
  }
  /// The groups with `lanes` that wait like this one become ready, but are not on the stack.
  void wake(const LaneGroup& like, LaneMask lanes);

  /// The lanes of the groups for which `is_meant` is true.
  template <class F>
  LaneMask lanes_of(F is_meant) const {
    LaneMask lanes = 0;
    for (const LaneGroup& group : groups_) lanes |= is_meant(group) ? group.lanes : 0;
    return lanes;
  }
  LaneMask lanes() const {
    return lanes_of([](const LaneGroup&) { return true; });
  }
  LaneMask ready() const {
    return lanes_of([](const LaneGroup& group) { return group.is_ready(); });
  }
  LaneMask held_by_warpsync() const {
    return lanes_of([](const LaneGroup& group) { return group.is_held_by_warpsync(); });
  }
  LaneMask yielded() const {
    return lanes_of([](const LaneGroup& group) { return group.wait == LaneGroup::Wait::kYielded; });
  }
  LaneMask waiting_like(const LaneGroup& like) const {
    return lanes_of([&](const LaneGroup& group) { return group.waits_like(like); });
  }
  /// Makes the groups with `lanes` that wait like this one ready, as if they stopped last. Those at
  /// one place become one group, and the group that stopped first runs first.
  void release(const LaneGroup& like, LaneMask lanes);
  /// Removes the groups with `lanes` that wait like this one.
  void remove(const LaneGroup& like, LaneMask lanes = kAllLanes);

 private:
  std::vector<LaneGroup>::iterator below_sets();

  std::vector<LaneGroup> groups_;
  unsigned behind_ = 0;        ///< lane of the next group after a collective operation
  bool top_is_whole_ = false;  ///< the top of the stack was put there last
};

}  // namespace shflsim::isa
