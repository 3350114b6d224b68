// SPDX-License-Identifier: Apache-2.0
#include "model/standstill.h"

#include <gtest/gtest.h>

#include "model/run.h"
#include "tests/support/code_trace.h"
#include "tests/support/deadlock.h"
#include "tests/support/layers.h"

namespace shflsim::model {
namespace standstill_test {

const char* const kText =
    "SHFL.BFLY PT, R6, R6, 1, 0x1f &wr=1\n"
    "LDG.E R2, [R4] &wr=0\n"
    "LDG.E R3, [R4] &wr=0\n"
    "FADD R3, R2, R2 &req={0}\n"
    "EXIT\n";

/// The first warp waits at a barrier for the second, which exits without it.
TEST(Standstill, IsWhatARunThatNothingMovesInThrows) {
  const traces::Trace trace = test::barrier_that_one_misses();
  const ConfigLayers layers = test::layers_of("gm107");
  try {
    run(trace, layers);
    FAIL() << "expected a Deadlock";
  } catch (const Deadlock& deadlock) {
    EXPECT_STREQ(deadlock.what(),
                 "no progress; every resident warp waits:\n"
                 "block 0 warp 0: barrier before EXIT, since cycle 1\n"
                 "queues and units are empty\n");
  }
}

ResidentWarp warp_of(uint32_t index, uint32_t sub_partition) {
  ResidentWarp warp;
  warp.index = index;
  warp.warp = index;
  warp.sub_partition = sub_partition;
  return warp;
}

Issue issue_of(uint32_t warp, uint32_t number, uint32_t index, Cycle cycle) {
  Issue issue;
  issue.id = {warp, number};
  issue.index = index;
  issue.cycle = cycle;
  return issue;
}

TEST(Standstill, NamesThePlaceOfEachInstructionOnItsWay) {
  Standstill standstill;
  const ResidentWarp later = warp_of(0, 3);
  const ResidentWarp sooner = warp_of(1, 0);
  standstill.warp_started(later, 0);
  standstill.warp_started(sooner, 0);
  const auto send = [&](const ResidentWarp& warp, uint32_t number, uint32_t index, Cycle cycle) {
    standstill.issued(warp, issue_of(warp.index, number, index, cycle));
    standstill.entered({warp.index, number}, Stage::kQueue, cycle);
  };
  send(later, 0, 0, 5);
  send(later, 1, 1, 6);
  send(later, 2, 2, 7);
  standstill.entered({0, 0}, Stage::kOperands, 8);
  standstill.entered({0, 1}, Stage::kOperands, 9);
  standstill.entered({0, 1}, Stage::kReady, 12);
  standstill.stood(later, 3, WarpState::kLongScoreboard, 8, 20);
  standstill.stood(sooner, 0, WarpState::kNoInstruction, 0, 20);
  EXPECT_EQ(standstill.text(test::code_of(kText)),
            "block 0 warp 1: no_instruction before SHFL.BFLY PT, R6, R6, 0x1, 0x1f, since cycle 0\n"
            "block 0 warp 0: long_scoreboard before FADD R3, R2, R2, since cycle 8\n"
            "in the queues and units:\n"
            "SM 0 sub-partition 3, block 0 warp 0, SHFL.BFLY PT, R6, R6, 0x1, 0x1f: collects its "
            "operands since cycle 8\n"
            "SM 0 sub-partition 3, block 0 warp 0, LDG.E R2, [R4]: waits for the global unit since "
            "cycle 12\n"
            "SM 0 sub-partition 3, block 0 warp 0, LDG.E R3, [R4]: in the queue since cycle 7\n");
}

TEST(Standstill, LeavesOutWhatIsOverAndWhoHasLeft) {
  Standstill standstill;
  const ResidentWarp gone = warp_of(0, 0);
  const ResidentWarp here = warp_of(1, 1);
  standstill.warp_started(gone, 0);
  standstill.warp_started(here, 0);
  standstill.issued(here, issue_of(1, 0, 0, 2));
  standstill.entered({1, 0}, Stage::kQueue, 2);
  standstill.done({1, 0}, 10);
  standstill.stood(here, 3, WarpState::kBarrier, 3, 7);
  standstill.stood(here, 3, WarpState::kBarrier, 7, 20);
  standstill.warp_left(gone, 15);
  EXPECT_EQ(standstill.text(test::code_of(kText)),
            "block 0 warp 1: barrier before FADD R3, R2, R2, since cycle 3\n"
            "queues and units are empty\n");
}

}  // namespace standstill_test
}  // namespace shflsim::model
