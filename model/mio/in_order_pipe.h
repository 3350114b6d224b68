// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "model/core/cycle.h"
#include "model/core/module.h"

namespace shflsim::model {

/// A data pipe that each operation holds for some cycles and that returns in order. The shuffle
/// unit and shared memory may have one pipe each or share one.
class InOrderPipe : public Module, public virtual sc_core::sc_interface {
 public:
  explicit InOrderPipe(const sc_core::sc_module_name& name) : Module(name) {}

  const char* kind() const override { return "InOrderPipe"; }
  const char* hardware() const override { return "data pipe that returns in order"; }
  const char* section() const override { return ""; }

  /// First cycle in which the next operation may start.
  const Cycle& free() const { return free_; }
  void hold(Cycle until) { free_ = until; }
  /// Returns a result of this number of registers, one a cycle, after the previous result. The last
  /// register arrives at `earliest` or later; returns the cycle.
  Cycle deliver(Cycle earliest, uint32_t registers) {
    last_return_ = std::max(last_return_ + registers, earliest);
    return last_return_;
  }

 private:
  Cycle free_ = 0;
  Cycle last_return_ = 0;
};

}  // namespace shflsim::model
