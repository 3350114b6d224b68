// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/lane_groups.h"

#include <algorithm>

namespace shflsim::isa {

bool LaneGroups::take_ready(LaneGroup* group) {
  const auto is_ready = [](const LaneGroup& each) { return each.is_ready(); };
  const auto last = std::find_if(groups_.rbegin(), groups_.rend(), is_ready);
  if (last == groups_.rend()) return false;
  *group = *last;
  groups_.erase(std::next(last).base());
  return true;
}

LaneMask LaneGroups::lanes() const {
  LaneMask lanes = 0;
  for (const LaneGroup& group : groups_) lanes |= group.lanes;
  return lanes;
}

LaneMask LaneGroups::ready() const {
  LaneMask lanes = 0;
  for (const LaneGroup& group : groups_) lanes |= group.is_ready() ? group.lanes : 0;
  return lanes;
}

LaneMask LaneGroups::held_by_warpsync() const {
  LaneMask lanes = 0;
  for (const LaneGroup& group : groups_) lanes |= group.is_held_by_warpsync() ? group.lanes : 0;
  return lanes;
}

LaneMask LaneGroups::waiting_for_block() const {
  LaneMask lanes = 0;
  for (const LaneGroup& group : groups_)
    lanes |= group.wait == LaneGroup::Wait::kBlock ? group.lanes : 0;
  return lanes;
}

void LaneGroups::gather(const LaneGroup& like) {
  uint32_t last = like.pc;
  for (const LaneGroup& group : groups_) last = group.waits_like(like) ? group.pc : last;
  for (LaneGroup& group : groups_) group.pc = group.waits_like(like) ? last : group.pc;
}

void LaneGroups::join(LaneMask lanes) {
  for (size_t i = 0; i < groups_.size(); ++i) join(i, lanes);
}

void LaneGroups::join(size_t first, LaneMask lanes) {
  const LaneGroup with = groups_[first];
  if (!with.is_ready() || (with.lanes & lanes) == 0) return;
  for (size_t i = groups_.size() - 1; i > first; --i) {
    const LaneGroup& group = groups_[i];
    if (!group.is_ready() || group.pc != with.pc || (group.lanes & lanes) == 0) continue;
    groups_[first].lanes |= group.lanes;
    groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace shflsim::isa
