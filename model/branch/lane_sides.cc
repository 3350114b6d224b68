// SPDX-License-Identifier: Apache-2.0
#include "model/branch/lane_sides.h"

#include <algorithm>
#include <utility>

namespace shflsim::model {

void LaneSides::start(isa::LaneMask lanes) {
  active_ = lanes;
  stands_at_jump_ = false;
  one_is_at_hand_ = false;
  left_.clear();
  waiting_ = {};
}

bool LaneSides::part(isa::LaneMask taken, bool taken_first) {
  const isa::LaneMask others = active_ & ~taken;
  active_ = taken_first ? taken : others;
  if (taken == 0 || others == 0) return false;
  left_.push_back({taken_first ? others : taken, false});
  one_is_at_hand_ = true;
  return true;
}

void LaneSides::part_at_jump(isa::LaneMask gone) {
  if (part(gone, true)) left_.back().stands_at_jump = true;
}

bool LaneSides::resume() {
  active_ = 0;
  stands_at_jump_ = false;
  if (left_.empty()) return false;
  active_ = left_.back().lanes;
  stands_at_jump_ = left_.back().stands_at_jump;
  left_.pop_back();
  return !std::exchange(one_is_at_hand_, false);
}

void LaneSides::give_way() {
  if (left_.empty()) return;
  const Left running{active_, stands_at_jump_};
  resume();
  left_.insert(left_.begin(), running);
}

bool LaneSides::has_others() const {
  return !left_.empty() || std::any_of(waiting_.begin(), waiting_.end(),
                                       [](isa::LaneMask lanes) { return lanes != 0; });
}

bool LaneSides::meet(unsigned barrier) {
  const isa::LaneMask waited = std::exchange(waiting_[barrier], isa::LaneMask{0});
  active_ |= waited;
  return waited != 0;
}

}  // namespace shflsim::model
