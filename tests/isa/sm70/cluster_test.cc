// SPDX-License-Identifier: Apache-2.0
// Clusters of blocks and bulk copies: forms that are refused, and errors that end a launch.
// The kernels of tests/data/volta/kc90 are compared as a whole with an H100.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "isa/code/launch_layout.h"
#include "tests/isa/machine_support.h"

namespace shflsim::isa {
namespace sm70_cluster_test {

/// R0: rank in the cluster; R1: an address of shared memory with the block's rank; UR8: R1.
Experiment in_clusters(uint32_t blocks, std::vector<std::string> lines) {
  const std::vector<std::string> start = {"S2R R0, SR_CgaCtaId", "MOV R1, 0x400",
                                          "LEA R1, R0, R1, 0x18", "R2UR UR8, R1"};
  lines.insert(lines.begin(), start.begin(), start.end());
  Experiment one(lines, Arch::kSm90);
  one.launch.grid.x = blocks;
  one.launch.cluster.x = blocks;
  one.launch.shared_bytes = 1024;
  return one;
}

using testing::HasSubstr;

TEST(Clusters, NumberTheirBlocksInTheOrderOfTheGrid) {
  struct Row {
    Extent grid, cluster;
    std::vector<uint32_t> blocks;
  };
  const Row rows[] = {
      {{4, 1, 1}, {2, 1, 1}, {0, 1, 2, 3}},
      {{4, 2, 1}, {2, 2, 1}, {0, 1, 4, 5, 2, 3, 6, 7}},
      {{2, 2, 2}, {1, 2, 2}, {0, 2, 4, 6, 1, 3, 5, 7}},
      {{2, 2, 1}, {1, 1, 1}, {}},
  };
  Program program;
  program.arch = Arch::kSm90;
  for (const Row& row : rows) {
    Launch launch;
    launch.grid = row.grid;
    launch.cluster = row.cluster;
    EXPECT_EQ(blocks_by_cluster(program, launch), row.blocks);
  }
}

TEST(Clusters, AreRefusedWhereTheyDoNotFit) {
  struct Row {
    Arch arch;
    uint32_t demanded, given, grid;
    const char* message;
  };
  const Row rows[] = {
      {Arch::kSm80, 0, 2, 4, "expected code for sm_90"},
      {Arch::kSm90, 4, 2, 4, "expected 4x1x1, as its code demands"},
      {Arch::kSm90, 0, 32, 32, "expected 16 blocks at most"},
      {Arch::kSm90, 0, 4, 6, "expected a grid of whole clusters, not of 6x1x1 blocks"},
      {Arch::kSm90, 4, 1, 6, "expected a grid of whole clusters, not of 6x1x1 blocks"},
  };
  for (const Row& row : rows) {
    Program program;
    program.arch = row.arch;
    if (row.demanded != 0) program.cluster = {row.demanded, 1, 1};
    Launch launch;
    launch.grid.x = row.grid;
    launch.cluster.x = row.given;
    try {
      cluster_of(program, launch);
      ADD_FAILURE() << row.message;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(row.message));
    }
  }
}

TEST(Clusters, WaitForAllTheirWarpsThatHaveNotEnded) {
  Experiment one = in_clusters(
      2, {"ISETP.EQ.AND P0, PT, R0, RZ, PT", "MOV R2, 0x7", "STS [R1], R0", "UCGABAR_ARV",
          "UCGABAR_WAIT", "@P0 EXIT", "UCGABAR_ARV", "UCGABAR_WAIT", "LDS R2, [R1]"});
  one.run();
  EXPECT_EQ(one.value(2, 0, 0), 7u) << "the first block has ended";
  EXPECT_EQ(one.value(2, 0, 1), 1u);
}

TEST(Clusters, EndWithALaunchErrorWhereAWarpArrivesTwice) {
  Experiment one = in_clusters(2, {"ISETP.NE.AND P0, PT, R0, RZ, PT", "@P0 NANOSLEEP 0x20",
                                   "UCGABAR_ARV", "UCGABAR_ARV", "UCGABAR_WAIT"});
  EXPECT_THAT(one.failure(), HasSubstr("arrives a second time at the barrier of the cluster"));
}

TEST(Clusters, EndWithALaunchErrorWhereABlockNeverArrives) {
  Experiment one = in_clusters(2, {"ISETP.EQ.AND P0, PT, R0, RZ, PT", "@P0 BAR.SYNC 0x1, 0x40",
                                   "UCGABAR_ARV", "UCGABAR_WAIT"});
  EXPECT_THAT(one.failure(), HasSubstr("too few warps reach"));
}

TEST(Clusters, ReachNoBlockThatIsNotThere) {
  Experiment one = in_clusters(2, {"S2R R3, SR_SWINHI", "MOV R2, 0x5000400", "LD.E R4, [R2]"});
  EXPECT_THAT(one.failure(), HasSubstr("rank 5 of a cluster of 2 blocks"));
}

TEST(Clusters, ReachNoBlockThatHasEnded) {
  Experiment one = in_clusters(
      2, {"ISETP.EQ.AND P0, PT, R0, RZ, PT", "@P0 EXIT", "S2R R3, SR_SWINHI", "MOV R2, 0x400",
          "YIELD", "NANOSLEEP 0x20", "NANOSLEEP 0x20", "LD.E R4, [R2]"});
  EXPECT_THAT(one.failure(), HasSubstr("whose block has ended"));
}

/// An H100 reports an illegal instruction here.
TEST(Clusters, KeepABlocksOwnOperationsToItsOwnRank) {
  Experiment one = in_clusters(2, {"MOV R2, 0x400", "LDS R4, [R2]"});
  EXPECT_THAT(one.failure(), HasSubstr("has not the block's own rank 1"));
}

TEST(BulkCopies, EndWithALaunchErrorAtAnAddressThatIsNotAligned) {
  Experiment one = in_clusters(1, {"MOV R2, 0x408", "R2UR UR4, R2", "MOV R2, 0x480", "R2UR UR5, R2",
                                   "MOV R2, 0x1", "R2UR UR6, R2", "UBLKCP.S.S [UR4], [UR8], UR6"});
  EXPECT_THAT(one.failure(), HasSubstr("not a multiple of the access's 16 bytes"));
}

TEST(BulkCopies, AreRefusedInFormsThatHaveNoMeaning) {
  Experiment reduction = in_clusters(1, {"UBLKRED.S.G.ADD [UR4], [UR8], UR6"});
  EXPECT_THAT(reduction.failure(), HasSubstr("a reduction from global memory cannot be executed"));
  Experiment floats = in_clusters(1, {"UBLKRED.G.S.MIN.F32.RN [UR4], [UR8], UR6"});
  EXPECT_THAT(floats.failure(), HasSubstr("this reduction of floats cannot be executed"));
  Experiment several = in_clusters(1, {"UBLKCP.G.S.MULTICAST [UR4], [UR8], UR6"});
  EXPECT_THAT(several.failure(), HasSubstr("the form .MULTICAST cannot be executed"));
}

/// Copies 32 bytes from 0x400 to 0x500 and reports them to the barrier at 0x480.
TEST(BulkCopies, TellTheirBarrierOfTheBytes) {
  Experiment one = in_clusters(1, {"MOV R3, 0x1234",
                                   "STS [R1], R3",
                                   "STS [R1+0x1c], R3",
                                   "MOV R2, 0x500",
                                   "R2UR UR4, R2",
                                   "MOV R2, 0x480",
                                   "R2UR UR5, R2",
                                   "MOV R4, 0x1ffffe",
                                   "MOV R5, 0x7ffff800",
                                   "R2UR UR12, R4",
                                   "R2UR UR13, R5",
                                   "MOV R6, 0x480",
                                   "R2UR UR10, R6",
                                   "SYNCS.EXCH.64 URZ, [UR10], UR12",
                                   "MOV R7, 0x20",
                                   "S2R R8, SR_LANEID",
                                   "ISETP.EQ.AND P0, PT, R8, RZ, PT",
                                   "@P0 SYNCS.ARRIVE.TRANS64 RZ, [R6+URZ], R7",
                                   "SYNCS.PHASECHK.TRANS64 P1, [R6+URZ], RZ",
                                   "MOV R2, 0x2",
                                   "R2UR UR6, R2",
                                   "UBLKCP.S.S [UR4], [UR8], UR6",
                                   "SYNCS.PHASECHK.TRANS64 P2, [R6+URZ], RZ",
                                   "MOV R2, 0x500",
                                   "LDS R9, [R2]",
                                   "LDS R10, [R2+0x1c]"});
  one.run();
  EXPECT_EQ(one.predicate(1), 0u);
  EXPECT_EQ(one.predicate(2), kAllLanes);
  EXPECT_EQ(one.value(9), 0x1234u);
  EXPECT_EQ(one.value(10), 0x1234u);
}

/// The barrier waits for one arrival and no bytes.
TEST(BulkCopies, AreReportedWhereTheirBytesAreNotExpected) {
  for (const bool expects : {false, true}) {
    Experiment one = in_clusters(
        1,
        {"MOV R2, 0x500", "R2UR UR4, R2", "MOV R2, 0x480", "R2UR UR5, R2", "MOV R4, 0x1ffffe",
         "MOV R5, 0x7ffff800", "R2UR UR12, R4", "R2UR UR13, R5", "MOV R6, 0x480", "R2UR UR10, R6",
         "SYNCS.EXCH.64 URZ, [UR10], UR12", "S2R R8, SR_LANEID", "ISETP.EQ.AND P0, PT, R8, RZ, PT",
         expects ? "MOV R7, 0x10" : "MOV R7, RZ", "@P0 SYNCS.ARRIVE.TRANS64 RZ, [R6+URZ], R7",
         "MOV R2, 0x1", "R2UR UR6, R2", "UBLKCP.S.S [UR4], [UR8], UR6"});
    one.run();
    const auto& uses = one.witness.uses;
    const bool is_told = std::any_of(uses.begin(), uses.end(), [](const UndefinedUse& use) {
      return std::string(use.what) == "tells a barrier of bytes that no phase of it expects";
    });
    EXPECT_EQ(is_told, !expects);
  }
}

/// The same copy with a read of its bytes, without a wait for the barrier or after one.
TEST(BulkCopies, AreReportedWhereTheirBytesAreReadBeforeAWait) {
  for (const bool waits : {false, true}) {
    Experiment one =
        in_clusters(1, {"MOV R2, 0x500",
                        "R2UR UR4, R2",
                        "MOV R2, 0x480",
                        "R2UR UR5, R2",
                        "MOV R4, 0x1ffffe",
                        "MOV R5, 0x7ffff800",
                        "R2UR UR12, R4",
                        "R2UR UR13, R5",
                        "MOV R6, 0x480",
                        "R2UR UR10, R6",
                        "SYNCS.EXCH.64 URZ, [UR10], UR12",
                        "S2R R8, SR_LANEID",
                        "ISETP.EQ.AND P0, PT, R8, RZ, PT",
                        "MOV R7, 0x10",
                        "@P0 SYNCS.ARRIVE.TRANS64 RZ, [R6+URZ], R7",
                        "MOV R2, 0x1",
                        "R2UR UR6, R2",
                        "UBLKCP.S.S [UR4], [UR8], UR6",
                        "MOV R3, 0x504",
                        waits ? "SYNCS.PHASECHK.TRANS64.TRYWAIT P1, [R6+URZ], RZ" : "NOP",
                        "LDS R9, [R3]",
                        "LDS R9, [R3+0xc]"});
    one.run();
    std::vector<uint32_t> reported;
    for (const UndefinedUse& use : one.witness.uses) {
      if (std::string(use.what) == "reaches bytes of a copy that no warp has waited for")
        reported.push_back(one.program.code[use.index].address);
    }
    EXPECT_EQ(reported.empty(), waits);
  }
}

}  // namespace sm70_cluster_test
}  // namespace shflsim::isa
