// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/core/module.h"
#include "model/core/stats.h"

namespace shflsim::model {

/// A module that works on warp instructions, and counts them and the cycles that they hold it.
class Unit : public Module {
 public:
  /// Under the name of its config section.
  UnitStats stats() const { return {section(), instances(), busy_, operations_}; }

 protected:
  using Module::Module;
  /// Another operation, which holds the unit for so many cycles.
  void count(uint64_t busy) {
    busy_ += busy;
    ++operations_;
  }
  /// How many of it the module stands for.
  virtual uint32_t instances() const { return 1; }

 private:
  uint64_t busy_ = 0;
  uint64_t operations_ = 0;
};

}  // namespace shflsim::model
