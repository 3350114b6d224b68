// SPDX-License-Identifier: Apache-2.0
// Barriers in shared memory: the effect of SYNCS of sm_90 and later and of ATOMS.ARRIVE of sm_80 to
// sm_89 on a barrier, and their results. The kernels of tests/data/volta/kb.* and kb90.* are
// compared as a whole with silicon.
#include <gtest/gtest.h>

#include "isa/machine/shared_barrier.h"
#include "tests/isa/machine_support.h"

namespace shflsim::isa {
namespace sm70_shared_barrier_test {

/// R0: lane; R1: address of the barrier, which waits for `count` arrivals in each phase.
Experiment with_barrier(uint32_t count, std::vector<std::string> lines) {
  const uint32_t field = SharedBarrier::kMostArrivals + 1 - count;
  const std::vector<std::string> start = {"MOV R1, 0x40",
                                          "R2UR UR6, R1",
                                          "MOV R2, " + std::to_string(field << 1),
                                          "R2UR UR4, R2",
                                          "MOV R2, " + std::to_string(field << 11),
                                          "R2UR UR5, R2",
                                          "SYNCS.EXCH.64 URZ, [UR6], UR4"};
  lines.insert(lines.begin(), start.begin(), start.end());
  Experiment one(lines, Arch::kSm90);
  std::vector<uint32_t> lanes;
  for (uint32_t lane = 0; lane < kLanes; ++lane) lanes.push_back(lane);
  one.set_lanes(0, lanes);
  one.launch.shared_bytes = 1024;
  return one;
}

/// The upper word of SYNCS.ARRIVE's result: bits 30:11 are minus the pending arrivals.
uint32_t upper_word(bool parity, uint32_t pending) {
  return uint32_t{parity} << 31 | ((0 - pending) & SharedBarrier::kMostArrivals) << 11;
}

TEST(Sm70SharedBarrier, EndsAPhaseWithItsLastArrival) {
  Experiment one = with_barrier(64, {
                                        "SYNCS.ARRIVE.TRANS64.A1T0 R4, [R1+URZ], RZ",
                                        "SYNCS.PHASECHK.TRANS64 P0, [R1+URZ], R5",
                                        "SYNCS.ARRIVE.TRANS64.A1T0 R6, [R1+URZ], RZ",
                                        "SYNCS.PHASECHK.TRANS64 P1, [R1+URZ], R5",
                                        "SYNCS.ARRIVE.TRANS64.A1T0 R8, [R1+URZ], RZ",
                                        "SYNCS.PHASECHK.TRANS64.TRYWAIT P2, [R1+URZ], R9",
                                    });
  one.run();
  EXPECT_EQ(one.value(5), upper_word(false, 64));
  EXPECT_EQ(one.value(7), upper_word(false, 32));
  EXPECT_EQ(one.value(9, 31), upper_word(true, 64));
  EXPECT_EQ(one.predicate(0), 0u);
  EXPECT_EQ(one.predicate(1), kAllLanes);
  EXPECT_EQ(one.predicate(2), 0u);
}

/// Measured on an H100: without .TMASK the lower register keeps its value.
TEST(Sm70SharedBarrier, TellsWhichLanesArriveTogetherOnlyWithTmask) {
  Experiment one = with_barrier(
      9, {"MOV R4, 0x7", "MOV R6, 0x7", "MOV R3, 0x2", "ISETP.LT.AND P0, PT, R0, 0x3, PT",
          "@P0 SYNCS.ARRIVE.TRANS64.A1T0 R4, [R1+URZ], RZ",
          "@P0 SYNCS.ARRIVE.TRANS64.TMASK.OPTOUT.ART0 R6, [R1+URZ], R3",
          "SYNCS.PHASECHK.TRANS64 P1, [R1+URZ], RZ",
          "@P0 SYNCS.ARRIVE.TRANS64.A1T0 R8, [R1+URZ], RZ"});
  one.run();
  EXPECT_EQ(one.value(4, 2), 7u);
  EXPECT_EQ(one.value(6, 2), 7u);
  EXPECT_EQ(one.value(7, 2), upper_word(false, 6));
  EXPECT_EQ(one.value(6, 3), 7u);
  EXPECT_EQ(one.predicate(1), kAllLanes);
  EXPECT_EQ(one.value(9, 2), upper_word(true, 3)) << "six of nine left for good";
}

TEST(Sm70SharedBarrier, WaitsForTheBytesThatAreExpected) {
  Experiment one = with_barrier(1, {
                                       "MOV R3, 0x30",
                                       "MOV R2, 0x10",
                                       "ISETP.EQ.AND P0, PT, R0, RZ, PT",
                                       "@P0 SYNCS.ARRIVE.TRANS64 RZ, [R1+URZ], R3",
                                       "@P0 SYNCS.ARRIVE.TRANS64.RED.A0TX RZ, [R1+URZ], R2",
                                       "@P0 SYNCS.ARRIVE.TRANS64.RED.A0TR RZ, [R1+URZ], R2",
                                       "SYNCS.PHASECHK.TRANS64 P1, [R1+URZ], RZ",
                                       "@P0 SYNCS.ARRIVE.TRANS64.RED.A0TX RZ, [R1+URZ], R3",
                                       "SYNCS.PHASECHK.TRANS64 P2, [R1+URZ], RZ",
                                   });
  one.run();
  EXPECT_EQ(one.predicate(1), 0u);
  EXPECT_EQ(one.predicate(2), kAllLanes);
}

/// An H100 faults here too; it counts the lanes of an instruction together.
TEST(Sm70SharedBarrier, RefusesMoreArrivalsThanItWaitsFor) {
  Experiment one = with_barrier(20, {"SYNCS.ARRIVE.TRANS64.A1T0 RZ, [R1+URZ], RZ"});
  EXPECT_EQ(one.failure(),
            "kernel 'test' at 0x0070 (SYNCS.ARRIVE.TRANS64.A1T0 RZ, [R1+URZ], RZ): block 0, "
            "warp 0, lane 0: arrives 32 times at a barrier that waits for 20 more");
}

TEST(Sm70SharedBarrier, ArrivesAfterCopiesPastTheRegisters) {
  Experiment one = with_barrier(32, {
                                        "SYNCS.ARRIVE.TRANS64.RED.A0T1 RZ, [R1+URZ], RZ",
                                        "SYNCS.ARRIVE.TRANS64.A1T0 RZ, [R1+URZ], RZ",
                                        "SYNCS.PHASECHK.TRANS64 P0, [R1+URZ], RZ",
                                        "ARRIVES.LDGSTSBAR.64.TRANSCNT [R1+URZ]",
                                        "SYNCS.PHASECHK.TRANS64 P1, [R1+URZ], RZ",
                                        "ARRIVES.LDGSTSBAR.64.ARVCNT [R1+URZ]",
                                        "MOV R2, 0x80000000",
                                        "SYNCS.PHASECHK.TRANS64 P2, [R1+URZ], R2",
                                    });
  one.run();
  EXPECT_EQ(one.predicate(0), 0u);
  EXPECT_EQ(one.predicate(1), kAllLanes);
  EXPECT_EQ(one.predicate(2), kAllLanes);
}

/// The steps are timed, and no hardware asks a barrier again and again while the other warps stand
/// still.
TEST(Sm70SharedBarrier, LetsTheOtherWarpsGoOnBeforeItIsAskedAgain) {
  Experiment one = with_barrier(64, {
                                        "BAR.SYNC 0x0",
                                        "SYNCS.ARRIVE.TRANS64.A1T0 R4, [R1+URZ], RZ",
                                        "again:",
                                        "SYNCS.PHASECHK.TRANS64 P0, [R1+URZ], R5",
                                        "@!P0 BRA again",
                                    });
  one.launch.block = {2 * kLanes, 1, 1};
  one.run();
  EXPECT_EQ(one.path(0), "0 1 2 3 4 5 6 7 8 9 10 11");
  EXPECT_EQ(one.path(1), "0 1 2 3 4 5 6 7 8 9 10 9 10 11") << "BAR lets it go on first";
}

/// The word that ptxas writes for ten arrivals; nine arrive, then the tenth.
TEST(Sm70SharedBarrier, OfSm80IsTwoWordsThatCodeReads) {
  uint64_t word = uint64_t{0x80000000u - 10} << 32 | (0x40000000u - 10);
  for (int i = 0; i < 9; ++i) word = after_arrival(word);
  EXPECT_EQ(word, 0x7fffffff3ffffff6u);
  word = after_arrival(word);
  EXPECT_EQ(word, 0xfffffff63ffffff6u);
  word += 1;  // ATOMS.POPC.INC: one leaves for good
  for (int i = 0; i < 10; ++i) word = after_arrival(word);
  EXPECT_EQ(word, 0x7ffffff73ffffff7u);
}

/// The loop that ptxas generates for barriers at different addresses: P0 of R2UR names lanes that
/// are left, and all lanes repeat the loop while there is one.
TEST(Sm70SharedBarrier, IsReachedByEachLaneInALoopOverTheAddresses) {
  Experiment one = with_barrier(1, {
                                       "ISETP.LT.AND P1, PT, R0, 0x3, PT",
                                       "MOV R5, RZ",
                                       "round:",
                                       "@P1 R2UR P0, UR8, R0",
                                       "@P1 PLOP3.LUT P1, PT, P0, PT, PT, 0x80, 0x0",
                                       "IADD3 R5, R5, 0x1, RZ",
                                       "@P1 BRA.U.ANY round",
                                       "MOV R6, UR8",
                                   });
  one.run();
  EXPECT_EQ(one.value(5, 31), 3u);
  EXPECT_EQ(one.value(6, 31), 2u);
}

/// The loop that ptxas generates for bulk stores of lanes: it leaves a lane only when all operands
/// are the lane's own, whatever P0 was in front of the loop.
TEST(Sm70SharedBarrier, IsReachedByEachLaneInALoopOverSeveralOperands) {
  for (const char* const before : {"0x80", "0x8"}) {
    Experiment one =
        with_barrier(1, {
                            "ISETP.LT.AND P1, PT, R0, 0x4, PT",
                            "SHF.R.U32.HI R3, RZ, 0x1, R0",
                            "MOV R5, RZ",
                            std::string("PLOP3.LUT P0, PT, PT, PT, PT, ") + before + ", 0x0",
                            "round:",
                            "PLOP3.LUT P0, PT, P0, P1, PT, 0xa2, 0x0",
                            "@P1 R2UR P0, UR8, R3",
                            "PLOP3.LUT P0, PT, P0, P1, PT, 0xa2, 0x0",
                            "@P1 R2UR.OR P0, UR9, R0",
                            "PLOP3.LUT P0, PT, P0, P1, PT, 0xa2, 0x0",
                            "@P1 R2UR.OR P0, UR10, RZ",
                            "@P1 PLOP3.LUT P1, PT, P0, PT, PT, 0x80, 0x0",
                            "IADD3 R5, R5, 0x1, RZ",
                            "@P1 BRA.U.ANY round",
                            "MOV R6, UR9",
                        });
    one.run();
    EXPECT_EQ(one.value(5, 31), 4u) << before;
    EXPECT_EQ(one.value(6, 31), 3u) << before;
  }
}

}  // namespace sm70_shared_barrier_test
}  // namespace shflsim::isa
