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

void LaneGroups::release(const LaneGroup& like, LaneMask lanes) {
  const auto stays = [&](const LaneGroup& group) {
    return !group.waits_like(like) || (group.lanes & lanes) == 0;
  };
  const auto middle = std::stable_partition(groups_.begin(), groups_.end(), stays);
  const std::vector<LaneGroup> released(middle, groups_.end());
  groups_.erase(middle, groups_.end());
  for (auto group = released.rbegin(); group != released.rend(); ++group) {
    LaneMask together = 0;
    for (const LaneGroup& each : released) together |= each.pc == group->pc ? each.lanes : 0;
    const auto is_here = [&](const LaneGroup& each) { return each.pc == group->pc; };
    const bool is_first = std::none_of(group + 1, released.rend(), is_here);
    if (is_first) add({group->pc, together, LaneGroup::Wait::kNone, 0});
  }
}

void LaneGroups::remove(const LaneGroup& like, LaneMask lanes) {
  const auto goes = [&](const LaneGroup& group) {
    return group.waits_like(like) && (group.lanes & lanes) != 0;
  };
  groups_.erase(std::remove_if(groups_.begin(), groups_.end(), goes), groups_.end());
}

}  // namespace shflsim::isa
