// SPDX-License-Identifier: Apache-2.0
#include "model/branch/lane_sides.h"

#include <utility>

namespace shflsim::model {

void LaneSides::start(isa::LaneMask lanes) {
  active_ = lanes;
  one_is_at_hand_ = false;
  left_.clear();
  waiting_ = {};
}

bool LaneSides::part(isa::LaneMask taken, bool taken_first) {
  const isa::LaneMask others = active_ & ~taken;
  active_ = taken_first ? taken : others;
  if (taken == 0 || others == 0) return false;
  left_.push_back(taken_first ? others : taken);
  one_is_at_hand_ = true;
  return true;
}

bool LaneSides::resume() {
  active_ = 0;
  if (left_.empty()) return false;
  active_ = left_.back();
  left_.pop_back();
  return !std::exchange(one_is_at_hand_, false);
}

bool LaneSides::meet(unsigned barrier) {
  const isa::LaneMask waited = std::exchange(waiting_[barrier], isa::LaneMask{0});
  active_ |= waited;
  return waited != 0;
}

}  // namespace shflsim::model
