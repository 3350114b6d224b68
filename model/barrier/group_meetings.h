// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/core/cycle.h"

namespace shflsim::model {

/// Where the four warps of a group wait for one another before their products (WARPGROUP.ARRIVE):
/// the products of a warp start when each warp of its group has arrived as often as it has.
class GroupMeetings {
 public:
  static constexpr unsigned kWarps = 4;  ///< of a group

  explicit GroupMeetings(unsigned blocks) : blocks_(blocks) {}

  void start_block(unsigned block_slot, unsigned warps) {
    blocks_[block_slot].assign((warps + kWarps - 1) / kWarps, {});
    for (unsigned warp = warps; warp % kWarps != 0; ++warp)
      group_of(block_slot, warp).arrivals[warp % kWarps] = kAlways;
  }
  /// `warp`: its index in the block.
  void arrive(unsigned block_slot, unsigned warp, unsigned sm_slot) {
    Group& group = group_of(block_slot, warp);
    ++group.arrivals[warp % kWarps];
    group.sm_slots[warp % kWarps] = sm_slot;
    group.waits[warp % kWarps] = true;
    let_go(&group);
  }
  /// SM slots of the warps that have met their groups since the last call.
  std::vector<unsigned> take_releases() { return std::exchange(releases_, {}); }

 private:
  static constexpr uint64_t kAlways = ~uint64_t{0};  ///< arrivals of a warp that the block lacks
  struct Group {
    std::array<uint64_t, kWarps> arrivals{};
    std::array<unsigned, kWarps> sm_slots{};
    std::array<bool, kWarps> waits{};
  };
  Group& group_of(unsigned block_slot, unsigned warp) { return blocks_[block_slot][warp / kWarps]; }
  void let_go(Group* group) {
    const uint64_t met = *std::min_element(group->arrivals.begin(), group->arrivals.end());
    for (unsigned i = 0; i < kWarps; ++i) {
      if (!group->waits[i] || group->arrivals[i] > met) continue;
      group->waits[i] = false;
      releases_.push_back(group->sm_slots[i]);
    }
  }

  std::vector<std::vector<Group>> blocks_;
  std::vector<unsigned> releases_;
};

}  // namespace shflsim::model
