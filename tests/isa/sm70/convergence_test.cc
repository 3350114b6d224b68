// SPDX-License-Identifier: Apache-2.0
// Divergence from sm_70 on: the order in which lanes run, the lanes for which they wait, and the
// errors about lanes that wait for ever.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/isa/machine_support.h"

namespace shflsim::isa {
namespace sm70_convergence_test {

/// Lanes of the last step, which is the appended EXIT.
LaneMask lanes_at_end(const Experiment& one) { return one.witness.steps.back().lanes; }

const std::vector<std::string> kIfElse = {
    "ISETP.GE.AND P0, PT, R0, 0x8, PT",  // 0
    "BSSY B0, done",                     // 1
    "@P0 BRA upper",                     // 2
    "MOV R1, 0x1",                       // 3
    "BRA meet",                          // 4
    "upper:",
    "MOV R1, 0x2",  // 5
    "meet:",
    "BSYNC B0",  // 6
    "done:",
    "IADD3 R1, R1, 0x10, RZ",  // 7
};

TEST(Sm70Convergence, MeetsBehindTheBarrier) {
  for (const Arch arch : {Arch::kSm70, Arch::kSm75, Arch::kSm90}) {
    Experiment one = with_lane_numbers(kIfElse, arch);
    one.run();
    EXPECT_EQ(one.path(), "0 1 2 3 4 6 5 6 7 8");
    EXPECT_EQ(one.value(1, 7), 0x11u);
    EXPECT_EQ(one.value(1, 8), 0x12u);
    EXPECT_EQ(lanes_at_end(one), kAllLanes);
  }
}

/// The same order as diverge_8 and switch_4 of tests/data/h200.
TEST(Sm70Convergence, RunsTheFewerLanesFirstAndOfAsManyThoseThatGoOn) {
  for (const auto& [bound, path] :
       {std::pair{"0x8", "0 1 2 3 4 6 5 6 7 8"}, std::pair{"0x10", "0 1 2 3 4 6 5 6 7 8"},
        std::pair{"0x11", "0 1 2 5 6 3 4 6 7 8"}}) {
    std::vector<std::string> lines = kIfElse;
    lines[0] = std::string("ISETP.GE.AND P0, PT, R0, ") + bound + ", PT";
    Experiment one = with_lane_numbers(lines);
    one.run();
    EXPECT_EQ(one.path(), path) << bound;
    EXPECT_EQ(lanes_at_end(one), kAllLanes);
  }
}

TEST(Sm70Convergence, NestsBarriers) {
  Experiment one = with_lane_numbers({
      "LOP3.LUT R2, R0, 0x1, RZ, 0xc0, !PT",  // 0
      "ISETP.GE.AND P0, PT, R0, 0x10, PT",    // 1
      "ISETP.NE.AND P1, PT, R2, RZ, PT",      // 2
      "MOV R1, RZ",                           // 3
      "BSSY B0, done",                        // 4
      "@P0 BRA meet",                         // 5
      "BSSY B1, inner",                       // 6
      "@P1 BRA odd",                          // 7
      "IADD3 R1, R1, 0x1, RZ",                // 8
      "odd:",
      "BSYNC B1",  // 9
      "inner:",
      "IADD3 R1, R1, 0x10, RZ",  // 10
      "meet:",
      "BSYNC B0",  // 11
      "done:",
      "IADD3 R1, R1, 0x100, RZ",  // 12
  });
  one.run();
  EXPECT_EQ(one.path(), "0 1 2 3 4 5 6 7 8 9 9 10 11 11 12 13");
  EXPECT_EQ(one.value(1, 0), 0x111u);
  EXPECT_EQ(one.value(1, 1), 0x110u);
  EXPECT_EQ(one.value(1, 16), 0x100u);
}

TEST(Sm70Convergence, CollectsTheLanesOfALoopThatEndAtDifferentTimes) {
  Experiment one = with_lane_numbers({
      "MOV R1, RZ",     // 0
      "BSSY B0, done",  // 1
      "again:",
      "IADD3 R1, R1, 0x1, RZ",            // 2
      "ISETP.LT.AND P0, PT, R1, R0, PT",  // 3
      "@P0 BRA again",                    // 4
      "BSYNC B0",                         // 5
      "done:",
      "VOTE.ANY R2, PT, PT",  // 6
  });
  one.run();
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    EXPECT_EQ(one.value(1, lane), std::max(lane, 1u));
    EXPECT_EQ(one.value(2, lane), kAllLanes);
  }
}

/// Lanes 24 to 31 break out of the inner region: the lanes that stay do not wait for them.
const std::vector<std::string> kBreak = {
    "ISETP.GE.AND P0, PT, R0, 0x18, PT",  // 0
    "BSSY B0, far",                       // 1
    "BSSY B1, near",                      // 2
    "@P0 BREAK B1",                       // 3
    "@P0 BRA out",                        // 4
    "BSYNC B1",                           // 5
    "near:",
    "VOTE.ANY R1, PT, PT",  // 6
    "out:",
    "BSYNC B0",  // 7
    "far:",
    "VOTE.ANY R2, PT, PT",  // 8
};

TEST(Sm70Convergence, LetsBrokenOutLanesGo) {
  Experiment one = with_lane_numbers(kBreak);
  one.run();
  EXPECT_EQ(one.value(1, 0), 0x00FFFFFFu);
  EXPECT_EQ(one.value(2, 0), kAllLanes);
  EXPECT_EQ(one.value(2, 31), kAllLanes);
}

/// As in ptxas' code for a switch: the upper lanes come to the outer barrier, in which the lower
/// ones are missing, without a BREAK of the inner one.
TEST(Sm70Convergence, LetsLanesGoWhoseBarrierWaitsForLanesThatCannotCome) {
  for (const std::string kind : {".RELIABLE", ".RECONVERGENT"}) {
    Experiment one = with_lane_numbers(
        {
            "ISETP.GE.AND P0, PT, R0, 0x8, PT",
            "BSSY.RECONVERGENT B0, done",
            "BSSY" + kind + " B1, join",
            "@P0 BRA out",
            "BSYNC" + kind + " B1",
            "join:",
            "VOTE.ANY R1, PT, PT",
            "out:",
            "BSYNC.RECONVERGENT B0",
            "done:",
            "VOTE.ANY R2, PT, PT",
        },
        Arch::kSm120);
    one.run();
    EXPECT_EQ(one.value(1, 0), 0xFFu);
    EXPECT_EQ(one.value(2, 0), kAllLanes);
    EXPECT_EQ(one.value(2, 31), kAllLanes);
  }
}

TEST(Sm70Convergence, WaitsForNoLaneThatHasEnded) {
  Experiment one = with_lane_numbers({
      "ISETP.GE.AND P0, PT, R0, 0x8, PT",
      "BSSY B0, done",
      "@P0 BRA upper",
      "BSYNC B0",
      "done:",
      "VOTE.ANY R1, PT, PT",
      "WARPSYNC.ALL",
      "EXIT",
      "upper:",
      "MOV R1, 0x2",
  });
  one.run();
  EXPECT_EQ(one.value(1, 0), 0xFFu);
  EXPECT_EQ(one.value(1, 8), 2u);
}

TEST(Sm70Convergence, ReturnsEachLaneToItsOwnCall) {
  Experiment one = with_lane_numbers({
      "ISETP.GE.AND P0, PT, R0, 0x8, PT",  // 0x00
      "BSSY B0, done",                     // 0x10
      "MOV R5, RZ",                        // 0x20
      "@P0 BRA upper",                     // 0x30
      "MOV R4, 0x60",                      // 0x40
      "CALL.REL.NOINC function",           // 0x50
      "BRA meet",                          // 0x60
      "upper:",
      "MOV R4, 0x90",             // 0x70
      "CALL.REL.NOINC function",  // 0x80
      "IADD3 R1, R1, 0x100, RZ",  // 0x90
      "meet:",
      "BSYNC B0",  // 0xa0
      "done:",
      "VOTE.ANY R2, PT, PT",
      "EXIT",
      "function:",
      "IADD3 R1, R0, 0x1, RZ",
      "RET.REL.NODEC R4 0x0",
  });
  one.run();
  EXPECT_EQ(one.value(1, 7), 8u);
  EXPECT_EQ(one.value(1, 8), 0x109u);
  EXPECT_EQ(one.value(2, 8), kAllLanes);
}

TEST(Sm70Convergence, SendsTheLanesOfAnIndirectBranchApart) {
  Experiment one = with_lane_numbers({
      "LOP3.LUT R4, R0, 0x3, RZ, 0xc0, !PT",  // 0x00
      "SHF.L.U32 R4, R4, 0x5, RZ",            // 0x10
      "MOV R5, RZ",                           // 0x20
      "BSSY B0, done",                        // 0x30
      "BRX R4 0x0",                           // 0x40
      "MOV R1, 0xa",
      "BRA meet",  // 0x50
      "MOV R1, 0xb",
      "BRA meet",  // 0x70
      "MOV R1, 0xc",
      "BRA meet",  // 0x90
      "MOV R1, 0xd",
      "BRA meet",  // 0xb0
      "meet:",
      "BSYNC B0",
      "done:",
      "VOTE.ANY R2, PT, PT",
  });
  one.run();
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    EXPECT_EQ(one.value(1, lane), 0xAu + lane % 4);
    EXPECT_EQ(one.value(2, lane), kAllLanes);
  }
}

/// The guard is true if the lanes' masks differ: any() and all() of tiles need it.
TEST(Sm70Convergence, TakesADivergentBranchOfLanesWhoseMasksDiffer) {
  const auto path_of = [](const char* mask) {
    Experiment one = with_lane_numbers({
        mask,                       // 0
        "REDUX.OR UR4, R2",         // 1
        "R2UR P0, URZ, R2",         // 2
        "@!P0 BRA.DIV UR4, apart",  // 3
        "EXIT",                     // 4
        "apart:",
        "NOP",  // 5
    });
    return one.run().path();
  };
  EXPECT_EQ(path_of("MOV R2, 0xffffffff"), "0 1 2 3 4");
  EXPECT_EQ(path_of("MOV R2, 0xffff"), "0 1 2 3 5 6");  // the mask does not name all lanes
  EXPECT_EQ(path_of("LOP3.LUT R2, R0, 0xf0, RZ, 0xc0, !PT"), "0 1 2 3 5 6");
}

/// One lane holds a lock while the others spin: without YIELD the holder would wait for them.
TEST(Sm70Convergence, LetsALaneThroughABarrierWhoseOthersYield) {
  for (const char* const wait : {"YIELD", "NANOSLEEP 0x14"}) {
    Experiment one = with_lane_numbers({
        "MOV R1, 0x1",
        "MOV R3, 0x40",
        "BSSY B0, done",
        "spin:",
        wait,
        "ATOMS.CAS R2, [R3], RZ, R1",
        "ISETP.NE.AND P0, PT, R2, RZ, PT",
        "@P0 BRA spin",
        "BSYNC B0",
        "done:",
        "LDS R4, [R3+0x4]",
        "IADD3 R4, R4, 0x1, RZ",
        "STS [R3+0x4], R4",
        "ATOMS.EXCH RZ, [R3], RZ",
        "WARPSYNC.ALL",
        "LDS R5, [R3+0x4]",
    });
    one.launch.shared_bytes = 4096;
    one.run();
    for (unsigned lane = 0; lane < kLanes; ++lane) EXPECT_EQ(one.value(5, lane), kLanes) << wait;
  }
}

/// As in yield_ab of tests/data/h200: lanes that leave a loop do not wait for lanes that yield in
/// it.
TEST(Sm70Convergence, WaitsAtABarrierForNoLaneThatYields) {
  Experiment one = with_lane_numbers({
      "MOV R1, RZ",
      "BSSY B0, done",
      "again:",
      "YIELD",
      "IADD3 R1, R1, 0x1, RZ",
      "ISETP.LT.AND P0, PT, R1, R0, PT",
      "@P0 BRA again",
      "BSYNC B0",
      "done:",
      "VOTE.ANY R2, PT, PT",
  });
  one.run();
  for (unsigned lane = 2; lane < kLanes; ++lane) EXPECT_EQ(one.value(2, lane), 1u << lane);
}

TEST(Sm70Convergence, TakesADivergentBranchOnlyWhereLanesAreMissing) {
  const std::vector<std::string> lines = {
      "BRA.DIV ~URZ, apart",  // 0
      "MOV R1, 0x1",          // 1
      "EXIT",                 // 2
      "apart:",
      "MOV R1, 0x2",  // 3
  };
  Experiment whole(lines, Arch::kSm80);
  EXPECT_EQ(whole.run().path(), "0 1 2");
  Experiment part(lines, Arch::kSm80);
  part.launch.block = {20, 1, 1};
  EXPECT_EQ(part.run().path(), "0 3 4");
}

/// As on an H200 (tests/data/h200/2026-11-29, README) the warp arrives with the first lanes, and
/// waits as a whole.
TEST(Sm70Convergence, ArrivesAtABarrierOfTheBlockWithTheFirstLanes) {
  Experiment one = with_lane_numbers({
      "ISETP.GE.AND P0, PT, R0, 0x8, PT",  // 0
      "BSSY B0, done",                     // 1
      "@P0 BRA upper",                     // 2
      "BAR.SYNC 0x0",                      // 3
      "BRA meet",                          // 4
      "upper:",
      "BAR.SYNC 0x0",  // 5
      "meet:",
      "BSYNC B0",  // 6
      "done:",
      "BAR.RED.POPC 0x0, P0",  // 7
      "B2R.RESULT R1",         // 8
  });
  one.launch.block = {64, 1, 1};
  one.run();
  EXPECT_EQ(one.value(1, 0, 0), 24u + 0u);
  EXPECT_EQ(one.path(0), "0 1 2 3 4 6 5 6 7 8 9");
}

}  // namespace sm70_convergence_test
}  // namespace shflsim::isa
