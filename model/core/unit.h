// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "model/core/cycle.h"
#include "model/core/module.h"
#include "model/core/stats.h"

namespace shflsim::model {

/// A module that executes warp instructions, and counts them and the cycles for which they hold it.
class Unit : public Module {
 public:
  /// The unit's statistics under the name of its config section, for the cycles before `end`.
  UnitStats stats(Cycle end) const {
    return {section(), instances(), busy_ - std::min(busy_, held_from(end)), operations_};
  }

 protected:
  using Module::Module;
  /// Counts an operation that holds the unit for `busy` cycles.
  void count(uint64_t busy) {
    busy_ += busy;
    ++operations_;
  }
  /// Counted cycles from `end` on, summed over the instances.
  virtual uint64_t held_from(Cycle /*end*/) const { return 0; }
  /// Number of hardware units that the module represents.
  virtual uint32_t instances() const { return 1; }

 private:
  uint64_t busy_ = 0;
  uint64_t operations_ = 0;
};

}  // namespace shflsim::model
