// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/core/parameter.h"

namespace shflsim::model {

/// The branch unit: how lanes that part and meet again hold their warp up. A taken branch alone is
/// fetch.branch_latency. What silicon's samples call a warp meanwhile (docs/sources.md, "Stall
/// reasons"): waiting in front of the instruction behind the branch for its stall count, then
/// resolving in front of the target, then without instruction.
struct BranchParams {
  uint32_t resolve = 0;     ///< 0: all of a taken branch's time is called resolving
  uint32_t divergence = 0;  ///< this and the following: sm_70 and later
  uint32_t convergence = 0;
  uint32_t rejoin = 0;
  uint32_t change = 0;
  uint32_t store = 0;
  uint32_t indirect = 0;
  uint32_t again = 0;
  uint32_t synchronise = 0;
  uint32_t synchronise_set = 0;
  uint32_t yield = 0;
  uint32_t yield_hold = 0;
  uint32_t yield_sides = 0;
  uint32_t yield_sides_hold = 0;
  uint32_t sleep = 0;

  void list(ParameterList& out) {
    out.number(
        "branch.resolve", &resolve, 0, 256, "cycles",
        "of a taken branch, between its stall count and the fetch of its target; 0: all that "
        "is not stall count is this, and its target waits for the stall count too");
    out.number("branch.divergence", &divergence, 0, 256, "cycles",
               "from a branch that some lanes take to the next issue of the others, at the least");
    out.number("branch.convergence", &convergence, 1, 256, "cycles",
               "from a BSYNC that all of a barrier's lanes execute together to the next issue");
    out.number("branch.rejoin", &rejoin, 1, 256, "cycles",
               "from the last lanes' BSYNC to the next issue, of all");
    out.number("branch.change", &change, 0, 256, "cycles",
               "that a BSYNC which waits takes more than a branch until other lanes are resumed");
    out.number("branch.store", &store, 0, 256, "cycles",
               "more where these had been left before others that have been resumed since");
    out.number("branch.indirect", &indirect, 0, 256, "cycles",
               "that a jump to where a register says takes more than others");
    out.number("branch.again", &again, 0, 256, "cycles",
               "the same for lanes whose registers lead elsewhere than those that went before, "
               "beyond branch.indirect");
    out.number("branch.synchronise", &synchronise, 0, 4096, "cycles",
               "from WARPSYNC of lanes in a register to the next issue, beyond its stall count");
    out.number("branch.synchronise_set", &synchronise_set, 0, 4096, "cycles",
               "the same for each further set of lanes that wait for one another");
    out.number("branch.yield", &yield, 0, 4096, "cycles",
               "from YIELD to the next issue, beyond its stall count");
    out.number("branch.yield_hold", &yield_hold, 0, 4096, "cycles",
               "that a YIELD holds the branch unit of its sub-partition");
    out.number("branch.yield_sides", &yield_sides, 0, 4096, "cycles",
               "branch.yield of a warp of which other lanes wait or are left");
    out.number("branch.yield_sides_hold", &yield_sides_hold, 0, 4096, "cycles",
               "branch.yield_hold of such a warp");
    out.number("branch.sleep", &sleep, 0, 4096, "cycles",
               "that a NANOSLEEP takes at the least; it ends with a period of the timer, the least "
               "power of two above its nanoseconds and no less than 32 ns");
  }
};

}  // namespace shflsim::model
