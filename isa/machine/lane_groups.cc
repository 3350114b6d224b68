// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/lane_groups.h"

#include <algorithm>
#include <utility>

#include "isa/lanes/lane_bits.h"

namespace shflsim::isa {

/// The place below the sets of a WARPSYNC that are on top of the stack.
std::vector<LaneGroup>::iterator LaneGroups::below_sets() {
  auto place = groups_.end();
  for (auto each = groups_.end(); each != groups_.begin();) {
    --each;
    if (!each->is_on_stack()) continue;
    if (each->wait != LaneGroup::Wait::kApart) break;
    place = each;
  }
  return place;
}

void LaneGroups::add_behind(LaneMask lanes, uint32_t pc) {
  auto place = std::find_if(groups_.begin(), groups_.end(), [](const LaneGroup& each) {
    return each.wait == LaneGroup::Wait::kBehind;
  });
  if (place == groups_.end()) {
    behind_ = static_cast<unsigned>(__builtin_ctz(lanes));
    place = below_sets();
  }
  groups_.insert(place, {pc, lanes, LaneGroup::Wait::kBehind, 0});
  top_is_whole_ = false;
}

bool LaneGroups::take_top(LaneGroup* group) {
  const auto top = std::find_if(groups_.rbegin(), groups_.rend(),
                                [](const LaneGroup& each) { return each.is_on_stack(); });
  if (top == groups_.rend()) return false;
  const LaneGroup::Wait wait = top->wait;
  const bool is_behind = wait == LaneGroup::Wait::kBehind;
  const auto taken =
      is_behind
          ? std::find_if(groups_.begin(), groups_.end(),
                         [this](const LaneGroup& each) { return bit_of(each.lanes, behind_); })
          : std::next(top).base();
  *group = *taken;
  groups_.erase(taken);
  const bool is_first = std::exchange(top_is_whole_, false);
  const auto lanes_of_kind = [this](LaneGroup::Wait kind) {
    return lanes_of([kind](const LaneGroup& each) { return each.wait == kind; });
  };
  if (wait == LaneGroup::Wait::kApart) {
    group->detail = is_first ? 0 : group->lanes | lanes_of_kind(wait);
  } else if (!is_first) {
    const bool jumps = wait == LaneGroup::Wait::kJump;
    group->lanes |= take_at(group->pc, [jumps](const LaneGroup& each) {
      const bool is_ready = each.is_on_stack() || each.wait == LaneGroup::Wait::kLate;
      return is_ready && each.wait != LaneGroup::Wait::kApart &&
             (each.wait == LaneGroup::Wait::kJump) == jumps;
    });
  }
  const LaneMask behind = is_behind ? lanes_of_kind(wait) : 0;
  if (behind != 0) behind_ = static_cast<unsigned>(__builtin_ctz(behind));
  return true;
}

const LaneGroup* LaneGroups::find(unsigned lane) const {
  const auto found = std::find_if(groups_.begin(), groups_.end(), [lane](const LaneGroup& group) {
    return bit_of(group.lanes, lane);
  });
  return found == groups_.end() ? nullptr : &*found;
}

void LaneGroups::wake(const LaneGroup& like, LaneMask lanes) {
  for (LaneGroup& group : groups_) {
    if (group.waits_like(like) && (group.lanes & lanes) != 0) group.wait = LaneGroup::Wait::kLate;
  }
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
