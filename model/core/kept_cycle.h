// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "model/core/cycle.h"

namespace shflsim::model {

/// A cycle that a part of an SM sets and others read very often. It can be kept beside those of
/// other parts, so that a reader of all of them touches little memory.
class KeptCycle {
 public:
  explicit KeptCycle(Cycle cycle = kNever) : own_(cycle) {}
  KeptCycle(const KeptCycle&) = delete;
  KeptCycle& operator=(const KeptCycle&) = delete;

  Cycle get() const { return *place_; }
  void set(Cycle cycle) { *place_ = cycle; }
  void make_earlier(Cycle cycle) { *place_ = std::min(*place_, cycle); }
  /// Keeps the cycle at `place` from now on.
  void keep_at(Cycle* place) {
    *place = *place_;
    place_ = place;
  }

 private:
  Cycle own_;
  Cycle* place_ = &own_;
};

}  // namespace shflsim::model
