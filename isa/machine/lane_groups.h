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
    kCollective,  ///< WARPSYNC.COLLECTIVE: for lanes at any place
    kBlock,       ///< BAR
  };
  uint32_t pc;  ///< index into Program::code
  LaneMask lanes;
  Wait wait;
  uint32_t detail;  ///< number of the barrier, or the lanes waited for

  bool is_ready() const { return wait == Wait::kNone; }
  bool is_held_by_warpsync() const { return wait == Wait::kMembers || wait == Wait::kCollective; }
  /// A WARPSYNC joins lanes of one place; barriers and collectives join lanes of several places.
  bool waits_like(const LaneGroup& other) const {
    const bool is_same = wait == other.wait && detail == other.detail;
    return is_same && (wait != Wait::kMembers || pc == other.pc);
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
  void clear() { groups_.clear(); }
  /// Adds the group as if it had stopped first.
  void add_first(const LaneGroup& group) { groups_.insert(groups_.begin(), group); }
  /// Removes the ready group that stopped last. False if none is ready.
  bool take_ready(LaneGroup* group);

  LaneMask lanes() const;
  LaneMask ready() const;
  LaneMask held_by_warpsync() const;
  LaneMask waiting_for_block() const;
  /// The instruction after which some group waits; 0 if none waits.
  uint32_t waiting_pc() const { return groups_.empty() ? 0 : groups_.front().pc; }

  /// Moves all lanes of a collective to the place of the lanes that came last, as on an H100.
  void gather(const LaneGroup& like);
  /// Merges groups with lanes in `lanes` that are ready at one place.
  void join(LaneMask lanes);

 private:
  void join(size_t first, LaneMask lanes);

  std::vector<LaneGroup> groups_;
};

}  // namespace shflsim::isa
