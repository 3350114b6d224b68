// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/lanes/lane_map.h"

namespace shflsim::isa {

/// Lanes of a warp that are at one instruction and do not run.
struct LaneGroup {
  enum class Wait : uint8_t {
    kNone,        ///< ready
    kBarrier,     ///< BSYNC
    kMembers,     ///< WARPSYNC: for lanes at this place
    kExclusive,   ///< WARPSYNC.EXCLUSIVE: likewise, and lanes with other masks run apart
    kPassed,      ///< WARPSYNC: for no lane, but until no other group is ready
    kCollective,  ///< WARPSYNC.COLLECTIVE: for lanes at any place
    kBlock,       ///< BAR
  };
  uint32_t pc;  ///< index into Program::code
  LaneMask lanes;
  Wait wait;
  uint32_t detail;  ///< number of the barrier, or the lanes waited for

  bool is_ready() const { return wait == Wait::kNone; }
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

  /// The group if there is only one; else nullptr.
  const LaneGroup* only() const { return groups_.size() == 1 ? groups_.data() : nullptr; }

  void add(const LaneGroup& group) { groups_.push_back(group); }
  /// Adds ready groups of one place. The first runs first.
  void add_ready(const std::vector<LaneMask>& groups, uint32_t pc) {
    for (auto lanes = groups.rbegin(); lanes != groups.rend(); ++lanes)
      add({pc, *lanes, LaneGroup::Wait::kNone, 0});
  }
  void clear() { groups_.clear(); }
  /// Adds the group as if it had stopped first.
  void add_first(const LaneGroup& group) { groups_.insert(groups_.begin(), group); }
  /// Removes the ready group that stopped last. False if none is ready.
  bool take_ready(LaneGroup* group);

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
  LaneMask waiting_for_block() const {
    return lanes_of([](const LaneGroup& group) { return group.wait == LaneGroup::Wait::kBlock; });
  }
  LaneMask waiting_like(const LaneGroup& like) const {
    return lanes_of([&](const LaneGroup& group) { return group.waits_like(like); });
  }
  /// The instruction after which some group waits; 0 if none waits.
  uint32_t waiting_pc() const { return groups_.empty() ? 0 : groups_.front().pc; }

  /// Makes the groups with `lanes` that wait like this one ready, as if they stopped last. Those at
  /// one place become one group, and the group that stopped first runs first.
  void release(const LaneGroup& like, LaneMask lanes);
  /// Removes the groups with `lanes` that wait like this one.
  void remove(const LaneGroup& like, LaneMask lanes = kAllLanes);

 private:
  std::vector<LaneGroup> groups_;
};

}  // namespace shflsim::isa
