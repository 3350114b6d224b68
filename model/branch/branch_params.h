// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/core/parameter.h"

namespace shflsim::model {

/// The branch unit: how long lanes that diverge and converge delay their warp. A taken branch alone
/// takes fetch.branch_latency. The warp's states meanwhile are those of a GPU's samples
/// (docs/sources.md, "Stall reasons"): first waiting before the instruction after the branch for
/// its stall count, then resolving before the target, then without instruction.
struct BranchParams {
  uint32_t resolve = 0;     ///< 0: all of a taken branch's time is called resolving
  uint32_t frozen = 0;      ///< whether a taken branch stops while issue is frozen
  uint32_t divergence = 0;  ///< from here on: sm_70 and later
  uint32_t convergence = 0;
  uint32_t rejoin = 0;
  uint32_t change = 0;
  uint32_t store = 0;
  uint32_t indirect = 0;
  uint32_t indirect_turn = 0;
  uint32_t again = 0;
  uint32_t synchronise = 0;
  uint32_t synchronise_set = 0;
  uint32_t turn = 0;
  uint32_t apart = 0;
  uint32_t barrier_read = 1;
  uint32_t barrier_release = 1;
  uint32_t barrier_write = 0;
  uint32_t barrier_written = 0;
  uint32_t yield = 0;
  uint32_t yield_hold = 0;
  uint32_t yield_sides = 0;
  uint32_t yield_sides_hold = 0;
  uint32_t sleep = 0;
  uint32_t more_registers = 0;
  uint32_t fewer_registers = 0;

  void list(ParameterList& out) {
    out.number("branch.resolve", &resolve, 0, 256, "cycles",
               "taken branch: time between the end of its stall count and the fetch of its target; "
               "0: the stall count contains this time");
    out.flag("branch.frozen", &frozen,
             "1: the time of a taken branch stops while issue is frozen; 0: the part beyond its "
             "stall count continues");
    out.number("branch.divergence", &divergence, 0, 256, "cycles",
               "divergent branch: least time to the next issue of the lanes that do not take it");
    out.number("branch.convergence", &convergence, 1, 256, "cycles",
               "time from a BSYNC that all lanes of a barrier execute together to the next issue");
    out.number("branch.rejoin", &rejoin, 1, 256, "cycles",
               "time from the last BSYNC of a barrier to the next issue of all its lanes");
    out.number("branch.change", &change, 0, 256, "cycles",
               "BSYNC that waits: time beyond that of a branch until other lanes resume");
    out.number("branch.store", &store, 0, 256, "cycles",
               "further time if the lanes that resume were suspended before lanes that have "
               "resumed since");
    out.number("branch.indirect", &indirect, 0, 256, "cycles",
               "further time of a jump to an address in a register");
    out.number("branch.indirect_turn", &indirect_turn, 0, 256, "cycles",
               "time for which such a jump occupies a unit that all sub-partitions share");
    out.number("branch.again", &again, 0, 256, "cycles",
               "further time for each further target of such a jump");
    out.number("branch.synchronise", &synchronise, 0, 4096, "cycles",
               "time from WARPSYNC with a register mask to the next issue, beyond its stall count");
    out.number("branch.synchronise_set", &synchronise_set, 0, 4096, "cycles",
               "further time for each further set of lanes that wait for one another");
    list_turns(out);
    out.number("branch.sleep", &sleep, 0, 4096, "cycles",
               "least time of a NANOSLEEP; the sleep ends with a period of the timer, which is the "
               "least power of two above its nanoseconds, and at least 32 ns");
    out.number("branch.more_registers", &more_registers, 0, 4096, "cycles",
               "time from a USETMAXREG that increases registers to the next issue");
    out.number("branch.fewer_registers", &fewer_registers, 0, 4096, "cycles",
               "time from a USETMAXREG that decreases registers to the next issue");
  }

 private:
  void list_turns(ParameterList& out) {
    out.number("branch.turn", &turn, 0, 256, "cycles",
               "time for which BSSY, BSYNC or a BMOV that reads a barrier occupies a unit that all "
               "sub-partitions share, and half the time of a BMOV that writes one; 0: none");
    out.number("branch.apart", &apart, 0, 256, "cycles",
               "least time from the turn of a BSSY or BMOV to that of the warp's next BSSY, BSYNC "
               "or BMOV");
    out.number("branch.barrier_read", &barrier_read, 1, 256, "cycles",
               "time from a BMOV that reads a convergence barrier to its result");
    out.number("branch.barrier_release", &barrier_release, 1, 256, "cycles",
               "time from a BMOV that writes a convergence barrier until its source is released");
    out.number("branch.barrier_write", &barrier_write, 0, 256, "cycles",
               "time from such a BMOV to the turn of the warp's next BSYNC or read of a barrier");
    out.number("branch.barrier_written", &barrier_written, 0, 256, "cycles",
               "further time of a BSYNC whose barrier BMOV has written");
    out.number("branch.yield", &yield, 0, 4096, "cycles",
               "time from YIELD to the next issue, beyond its stall count");
    out.number("branch.yield_hold", &yield_hold, 0, 4096, "cycles",
               "time for which a YIELD occupies a unit that the YIELDs of all sub-partitions "
               "share");
    out.number("branch.yield_sides", &yield_sides, 0, 4096, "cycles",
               "branch.yield of a warp that has other lanes waiting or suspended");
    out.number("branch.yield_sides_hold", &yield_sides_hold, 0, 4096, "cycles",
               "branch.yield_hold of a warp that has other lanes waiting or suspended");
  }
};

}  // namespace shflsim::model
