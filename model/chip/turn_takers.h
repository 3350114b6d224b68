// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/core/cycle.h"

namespace shflsim::model {

/// What the SMs of a chip do in their turns. Only run() is called by several threads at a time.
class TurnTakers {
 public:
  virtual ~TurnTakers() = default;
  /// Runs the SM from the cycle in which it is due to before `until`. The run calls Turns::wait().
  virtual void run(unsigned sm, Cycle until) = 0;
  /// First cycle from `from` on in which this SM may start a block.
  virtual Cycle start_of(unsigned sm, Cycle from) = 0;
  /// First cycle from `from` on in which any SM that does not run may start a block.
  virtual Cycle first_start(Cycle from) = 0;
  /// Starts the blocks that may start at `now`; returns their SMs.
  virtual std::vector<unsigned> start_blocks(Cycle now) = 0;
};

}  // namespace shflsim::model
