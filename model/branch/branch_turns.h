// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>

#include "model/core/cycle.h"

namespace shflsim::model {

/// A unit that instructions of all sub-partitions use one after another.
class BranchTurns {
 public:
  /// Returns when the turn begins of an instruction that issues at `now` and takes so many cycles.
  Cycle take(Cycle now, Cycle cycles) {
    const Cycle begin = std::max(now, free_);
    free_ = begin + cycles;
    return begin;
  }

 private:
  Cycle free_ = 0;
};

/// What the branch units of an SM share.
struct SharedTurns {
  BranchTurns barriers;  ///< of BSSY, BSYNC and BMOV
  BranchTurns yields;    ///< a BSYNC does not wait for them (measured: ping_pong_all of 32 warps)
  BranchTurns jumps;     ///< to addresses in registers
};

}  // namespace shflsim::model
