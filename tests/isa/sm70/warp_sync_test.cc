// SPDX-License-Identifier: Apache-2.0
// Operations of a whole warp that its lanes reach from several places, and membermasks with which
// no lanes can meet.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "isa/check/checker.h"
#include "tests/isa/machine_support.h"
#include "tests/isa/sm70/support.h"

namespace shflsim::isa {
namespace sm70_warp_sync_test {

using testing::ElementsAre;
using testing::HasSubstr;

using Lines = std::vector<std::string>;

constexpr Arch kWithCollectives[] = {Arch::kSm90, Arch::kSm100, Arch::kSm120};

void add_lines(Lines* lines, const Lines& more) {
  lines->insert(lines->end(), more.begin(), more.end());
}

/// A collective operation in the form in which ptxas moves it out of line (a "piece").
Lines piece(const std::string& mask, const Lines& together, const std::string& end) {
  Lines lines = {"WARPSYNC.COLLECTIVE " + mask + ", " + end};
  add_lines(&lines, together);
  add_lines(&lines, {"ENDCOLLECTIVE", end + ":"});
  return lines;
}

/// R0 holds the lane number, R10 a full membermask. Lanes below `bound` reach a piece from one side
/// and the others from another. R5 is 3 times the lane number on the first side and 5 times on
/// the second, R6 is 1 or 2; R1 is R2 plus 100 or R2 plus 200.
Lines both_sides(const Lines& together, const Lines& otherwise, const std::string& bound = "0xc") {
  Lines lines = {"ISETP.GE.AND P0, PT, R0, " + bound + ", PT",
                 "MOV R10, 0xffffffff",
                 "MOV R7, 0x1f",
                 "BSSY B0, done",
                 "@P0 BRA second",
                 "IMAD R5, R0, 0x3, RZ",
                 "MOV R6, 0x1"};
  add_lines(&lines, piece("R10", together, "first_end"));
  add_lines(&lines, {"MOV R8, 0x64", "IMAD R1, R2, 0x1, R8", "BRA meet",
                     "second:", "IMAD R5, R0, 0x5, RZ", "MOV R6, 0x2"});
  add_lines(&lines, piece("R10", otherwise, "second_end"));
  add_lines(&lines, {"MOV R8, 0xc8", "IMAD R1, R2, 0x1, R8", "meet:", "BSYNC B0",
                     "done:", "VOTE.ANY R9, PT, PT"});
  return lines;
}

/// R1 of all lanes after both sides.
std::vector<uint32_t> results_of_sides(const Lines& together, Arch arch, const std::string& bound) {
  Experiment one = with_lane_numbers(both_sides(together, together, bound), arch);
  one.run();
  EXPECT_EQ(one.value(9), kAllLanes);
  std::vector<uint32_t> values;
  for (unsigned lane = 0; lane < kLanes; ++lane) values.push_back(one.value(1, lane));
  return values;
}

struct CollectiveCase {
  const char* name;
  Lines together;
  uint32_t of_lane_3, of_lane_11, of_lane_12, of_lane_31;  ///< without the side's 100 or 200
};

void PrintTo(const CollectiveCase& one, std::ostream* out) { *out << one.name; }

/// The values of lanes 0 to 11 are 3 times their number, those of lanes 12 to 31 are 5 times.
const CollectiveCase kCollectiveCases[] = {
    {"shuffle_by_index", {"SHFL.IDX P1, R2, R5, R6, R7"}, 3, 3, 6, 6},
    {"shuffle_up", {"SHFL.UP P1, R2, R5, R6, RZ"}, 6, 30, 30, 145},
    {"shuffle_down", {"SHFL.DOWN P1, R2, R5, R6, R7"}, 12, 60, 70, 155},
    {"shuffle_across", {"SHFL.BFLY P1, R2, R5, R6, R7"}, 6, 30, 70, 145},
    {"ballot", {"VOTE.ANY R2, PT, !P0"}, 0xFFF, 0xFFF, 0xFFF, 0xFFF},
    {"vote_of_all", {"VOTE.ALL P1, P0", "SEL R2, RZ, 0x7, P1"}, 7, 7, 7, 7},
    {"sum", {"REDUX.SUM UR62, R5", "MOV R2, UR62"}, 2348, 2348, 2348, 2348},
    {"match", {"MATCH.ANY R2, R6"}, 0xFFF, 0xFFF, 0xFFFFF000, 0xFFFFF000},
    {"match_of_all", {"MATCH.ALL P1, R2, R7"}, kAllLanes, kAllLanes, kAllLanes, kAllLanes},
    {"barrier", {"NOP", "MOV R2, R6"}, 1, 1, 2, 2},
};

class Collective : public testing::TestWithParam<CollectiveCase> {};

TEST_P(Collective, JoinsTheLanesOfBothSides) {
  const CollectiveCase& one = GetParam();
  for (const Arch arch : kWithCollectives) {
    const std::vector<uint32_t> values = results_of_sides(one.together, arch, "0xc");
    EXPECT_THAT((std::vector<uint32_t>{values[3], values[11], values[12], values[31]}),
                ElementsAre(one.of_lane_3 + 100, one.of_lane_11 + 100, one.of_lane_12 + 200,
                            one.of_lane_31 + 200));
  }
}

INSTANTIATE_TEST_SUITE_P(Operations, Collective, testing::ValuesIn(kCollectiveCases),
                         [](const auto& made) { return std::string(made.param.name); });

/// Measured on an H100 with sides that came for different operations.
TEST(Sm70WarpSync, ExecutesThePieceToWhichTheLastLanesHaveCome) {
  constexpr uint32_t kFirst = 8, kSecond = 16;
  for (const auto& [bound, place] :
       {std::pair{"0xc", kSecond}, std::pair{"0x10", kSecond}, std::pair{"0x14", kFirst}}) {
    const Lines together = {"SHFL.IDX P1, R2, R5, R6, R7"};
    Experiment one = with_lane_numbers(both_sides(together, together, bound), Arch::kSm90);
    one.run();
    std::vector<uint32_t> places;
    for (const Witness::Step& step : one.witness.steps) {
      if (step.index != kFirst && step.index != kSecond) continue;
      places.push_back(step.index);
      EXPECT_EQ(step.lanes, kAllLanes) << bound;
    }
    EXPECT_THAT(places, ElementsAre(place)) << bound;
  }
}

/// Lanes that wait for a collective let the others leave the region around it.
TEST(Sm70WarpSync, JoinsLanesThatComeFromBehindTheBarrier) {
  Lines lines = {"ISETP.GE.AND P0, PT, R0, 0x8, PT", "MOV R10, 0xffffffff", "BSSY B0, done",
                 "@P0 BRA meet"};
  add_lines(&lines, piece("R10", {"VOTE.ANY R1, PT, PT"}, "inside"));
  add_lines(&lines, {"meet:", "BSYNC B0", "done:", "@!P0 EXIT"});
  add_lines(&lines, piece("R10", {"VOTE.ANY R1, PT, PT"}, "outside"));
  Experiment one = with_lane_numbers(lines, Arch::kSm90);
  one.run();
  EXPECT_EQ(one.value(1, 0), kAllLanes);
  EXPECT_EQ(one.value(1, 31), kAllLanes);
}

/// Lanes below `bound` reach a collective from two places inside B1, the others wait at B0, which
/// is around it. R2 is the collective's ballot, R1 the ballot after B0.
Experiment collective_inside(const std::string& bound, const std::string& mask) {
  Lines lines = {"ISETP.GE.AND P0, PT, R0, " + bound + ", PT",
                 "ISETP.GE.AND P1, PT, R0, 0x8, PT",
                 "MOV R10, " + mask,
                 "BSSY B0, done",
                 "@P0 BRA wait",
                 "BSSY B1, joined",
                 "@P1 BRA second"};
  add_lines(&lines, piece("R10", {"VOTE.ANY R2, PT, PT"}, "first_end"));
  add_lines(&lines, {"BRA meet", "second:"});
  add_lines(&lines, piece("R10", {"VOTE.ANY R2, PT, PT"}, "second_end"));
  add_lines(&lines, {"meet:", "BSYNC B1", "joined:", "VOTE.ANY R3, PT, PT", "wait:", "BSYNC B0",
                     "done:", "VOTE.ANY R1, PT, PT"});
  return with_lane_numbers(lines);
}

TEST(Sm70WarpSync, KeepsTheBarriersAroundACollective) {
  Experiment one = collective_inside("0x18", "0xffffff");  // lanes 24 to 31 go first
  one.run();
  EXPECT_EQ(one.value(2, 0), 0xFFFFFFu);
  EXPECT_EQ(one.value(3, 0), 0xFFFFFFu);
  EXPECT_EQ(one.value(1, 0), kAllLanes);
  EXPECT_EQ(one.value(1, 31), kAllLanes);
}

TEST(Sm70WarpSync, KeepsTheBarriersAroundACollectiveWhereOtherLanesCanRun) {
  Experiment one = collective_inside("0x10", "0xffff");  // lanes 16 to 31 go last
  one.run();
  EXPECT_EQ(one.value(2, 0), 0xFFFFu);
  EXPECT_EQ(one.value(1, 0), kAllLanes);
  EXPECT_EQ(one.value(1, 31), kAllLanes);
}

TEST(Sm70WarpSync, WaitsForNoLaneThatHasEndedBeforeACollective) {
  Lines lines = {"ISETP.GE.AND P0, PT, R0, 0x8, PT", "@P0 EXIT", "ISETP.GE.AND P0, PT, R0, 0x4, PT",
                 "@P0 BRA second"};
  add_lines(&lines, {"WARPSYNC.COLLECTIVE.ALL first", "VOTE.ANY R1, PT, PT", "ENDCOLLECTIVE",
                     "first:", "EXIT", "second:"});
  add_lines(&lines, {"WARPSYNC.COLLECTIVE.ALL last", "VOTE.ANY R1, PT, PT", "ENDCOLLECTIVE",
                     "last:", "NOP"});
  Experiment one = with_lane_numbers(lines, Arch::kSm90);
  one.run();
  for (const unsigned lane : {0u, 3u, 4u, 7u}) EXPECT_EQ(one.value(1, lane), 0xFFu);
}

TEST(Sm70WarpSync, StopsWhereTheSidesComeForDifferentOperations) {
  const Lines shuffle = {"SHFL.IDX P1, R2, R5, R6, R7"};
  for (const Lines& other : {Lines{"SHFL.BFLY P1, R2, R5, R6, R7"}, Lines{"VOTE.ANY R2, PT, P1"},
                             Lines{"MATCH.ANY R2, R5"}, Lines{"NOP"}}) {
    Experiment one = with_lane_numbers(both_sides(shuffle, other), Arch::kSm90);
    EXPECT_EQ(one.failure(),
              "kernel 'test' at 0x00f0 (WARPSYNC.COLLECTIVE R10, 0x120): block 0, warp 0: lanes "
              "0xfffff000 come for '" +
                  other[0] +
                  "', lanes 0x00000fff at 0x0070 for 'SHFL.IDX P1, R2, R5, R6, R7'; expected one "
                  "operation of all that the membermask names");
  }
}

TEST(Sm70WarpSync, IsAFindingWhereTheSidesComeForDifferentOperations) {
  const Lines lines = both_sides({"SHFL.IDX PT, R2, R5, R6, R7"}, {"VOTE.ANY R2, PT, PT"});
  Experiment one = with_lane_numbers(lines, Arch::kSm90);
  one.program = assemble_sm70(Arch::kSm90, lines);
  one.options.go_on_after_faults = true;
  Checker checker(one.program);
  execute(one.program, one.launch, one.memory, checker, one.options);
  const std::vector<CheckFinding> findings = checker.finish();
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].index, 15u);
  EXPECT_EQ(findings[0].lanes, 0xFFFFF000u);
  EXPECT_EQ(findings[0].what, "meets lanes that come for another operation");
}

/// ptxas' code for an operation that occurs once in a kernel. An H100 does not return from it.
TEST(Sm70WarpSync, StopsWherePlainOnesHoldLanesInTwoPlaces) {
  for (const auto& [arch, sync] :
       {std::pair{Arch::kSm75, "WARPSYNC 0xffffffff"}, std::pair{Arch::kSm80, "WARPSYNC R10"},
        std::pair{Arch::kSm90, "WARPSYNC.ALL"}, std::pair{Arch::kSm120, "WARPSYNC R10"}}) {
    Experiment one = with_lane_numbers(
        {"ISETP.GE.AND P0, PT, R0, 0xc, PT", "MOV R10, 0xffffffff", "@P0 BRA second", sync,
         "SHFL.IDX PT, R1, R0, 0x5, 0x1f", "EXIT", "second:", sync, "VOTE.ANY R1, PT, PT"},
        arch);
    const std::string text = sync;
    EXPECT_EQ(one.failure(), "kernel 'test' at 0x0030 (" + text +
                                 "): block 0, warp 0: lanes 0x00000fff wait here, lanes 0xfffff000 "
                                 "at 0x0060 (" +
                                 text +
                                 "), each for the others; expected one place and one membermask");
  }
}

/// The warp waits as a whole at the barrier of the block; then the others end.
TEST(Sm70WarpSync, ContinuesBehindABarrierOfTheBlockThatTheOthersReach) {
  Experiment one = with_lane_numbers({"ISETP.GE.AND P0, PT, R0, 0xc, PT", "@P0 BRA second",
                                      "WARPSYNC.ALL", "EXIT", "second:", "BAR.SYNC 0x0"});
  EXPECT_EQ(one.run().path(), "0 1 2 4 5 3");
}

TEST(Sm70WarpSync, StopsWhereTheLanesOfACollectiveNameDifferentMasks) {
  Lines lines = {"ISETP.GE.AND P0, PT, R0, 0x10, PT", "MOV R11, 0xfffffff0", "MOV R12, 0xffffffff",
                 "SEL R10, R11, R12, P0"};
  add_lines(&lines, piece("R10", {"VOTE.ANY R1, PT, PT"}, "end"));
  Experiment one = with_lane_numbers(lines, Arch::kSm90);
  EXPECT_THAT(one.failure(), HasSubstr("lanes 0x0000ffff wait here, lanes 0xffff0000 at 0x0040"));
}

/// Lanes 4 to 7 pass the membermask 0xf, which does not name them.
Lines without_themselves(const std::string& sync) {
  return {"ISETP.GE.AND P0, PT, R0, 0x8, PT",
          "@P0 EXIT",
          "MOV R10, 0xf",
          sync,
          "VOTE.ANY R1, PT, PT",
          "end:",
          "NOP"};
}

const std::pair<Arch, const char*> kSyncsOfAMask[] = {
    {Arch::kSm70, "WARPSYNC R10"},           {Arch::kSm75, "WARPSYNC 0xf"},
    {Arch::kSm80, "WARPSYNC.EXCLUSIVE R10"}, {Arch::kSm90, "WARPSYNC R10"},
    {Arch::kSm90, "WARPSYNC.EXCLUSIVE R10"}, {Arch::kSm90, "WARPSYNC.COLLECTIVE R10, end"},
    {Arch::kSm100, "WARPSYNC 0xf"},          {Arch::kSm120, "WARPSYNC.COLLECTIVE R10, end"}};

TEST(Sm70WarpSync, StopsALaneThatIsNotInItsMembermask) {
  for (const auto& [arch, sync] : kSyncsOfAMask) {
    Experiment one = with_lane_numbers(without_themselves(sync), arch);
    EXPECT_THAT(one.failure(),
                HasSubstr("block 0, warp 0: lanes 0x000000f0 are not in the "
                          "membermask that they give; expected each lane in its own"));
    EXPECT_THAT(one.failure(), HasSubstr("at 0x0030 (WARPSYNC"));
  }
}

TEST(Sm70WarpSync, TakesAMembermaskOfNobodyForOneWithoutTheLanes) {
  Experiment one = with_lane_numbers({"WARPSYNC R11"}, Arch::kSm90);
  EXPECT_THAT(one.failure(), HasSubstr("lanes 0xffffffff are not in the membermask"));
}

TEST(Sm70WarpSync, IsAFindingWhereALaneIsNotInItsMembermask) {
  for (const auto& [arch, sync] : kSyncsOfAMask) {
    Experiment one = with_lane_numbers(without_themselves(sync), arch);
    one.program = assemble_sm70(arch, without_themselves(sync));
    one.options.go_on_after_faults = true;
    Checker checker(one.program);
    execute(one.program, one.launch, one.memory, checker, one.options);
    const std::vector<CheckFinding> findings = checker.finish();
    ASSERT_EQ(findings.size(), 1u) << sync;
    EXPECT_EQ(findings[0].index, 3u);
    EXPECT_EQ(findings[0].lanes, 0xF0u);
    EXPECT_EQ(findings[0].what, "waits without being in its membermask, which is illegal");
  }
}

/// Tiles of 16 lanes; each lane names its own tile. Lanes 8 to 23 arrive first, together.
TEST(Sm70WarpSync, LetsEachLaneOfOneWarpsyncWaitForItsOwnMask) {
  Experiment one = with_lane_numbers({
      "LOP3.LUT R2, R0, 0x10, RZ, 0xc0, !PT",   // 0
      "MOV R3, 0xffff",                         // 1
      "SHF.L.U32 R3, R3, R2, RZ",               // 2
      "IADD3 R4, R0, -0x8, RZ",                 // 3
      "ISETP.LT.U32.AND P0, PT, R4, 0x10, PT",  // 4
      "ISETP.LT.AND P1, PT, R0, 0x8, PT",       // 5
      "@P0 BRA sync",                           // 6
      "@P1 BRA sync",                           // 7
      "NOP",                                    // 8
      "sync:",
      "WARPSYNC R3",  // 9
      "NOP",          // 10
  });
  one.run();
  LaneMask seen = 0;
  for (const Witness::Step& step : one.witness.steps) {
    if (step.index != 10) continue;
    seen |= step.lanes;
    for (const LaneMask tile : {0x0000FFFFu, 0xFFFF0000u})
      EXPECT_TRUE((step.lanes & tile) == 0 || (step.lanes & tile) == tile) << step.lanes;
  }
  EXPECT_EQ(seen, kAllLanes);
}

/// Reductions of labeled partitions do so on sm_80, and tiles on sm_90.
TEST(Sm70WarpSync, LetsLanesOfOneMaskGoOnWithoutTheOthersAfterAnExclusiveWarpsync) {
  for (const auto& [arch, sync] : {std::pair{Arch::kSm80, "WARPSYNC.EXCLUSIVE R3"},
                                   std::pair{Arch::kSm90, "WARPSYNC.EXCLUSIVE R3"},
                                   std::pair{Arch::kSm90, "WARPSYNC.COLLECTIVE R3, meet"}}) {
    Experiment one = with_lane_numbers(
        {
            "LOP3.LUT R2, R0, 0x1, RZ, 0xc0, !PT",
            "MATCH.ANY R3, R2",
            "BSSY B0, done",
            sync,
            "REDUX.SUM UR4, R0",
            "MOV R1, UR4",
            "meet:",
            "BSYNC B0",
            "done:",
            "VOTE.ANY R5, PT, PT",
        },
        arch);
    one.run();
    EXPECT_EQ(one.value(3, 2), 0x55555555u) << sync;
    EXPECT_EQ(one.value(1, 2), 240u) << sync;
    EXPECT_EQ(one.value(1, 3), 256u) << sync;
    EXPECT_EQ(one.value(5, 3), kAllLanes) << sync;
  }
}

/// As on an H100: the other lanes end, and the WARPSYNC no longer waits for them.
TEST(Sm70WarpSync, LetsLanesThroughABarrierWhoseOthersAWarpsyncHolds) {
  Experiment one = with_lane_numbers({
      "ISETP.GE.AND P0, PT, R0, 0x8, PT",  // 0
      "BSSY B0, done",                     // 1
      "@P0 BRA upper",                     // 2
      "BSYNC B0",                          // 3
      "done:",
      "VOTE.ANY R1, PT, PT",  // 4
      "EXIT",                 // 5
      "upper:",
      "WARPSYNC 0xffffffff",  // 6
      "VOTE.ANY R1, PT, PT",  // 7
  });
  one.run();
  EXPECT_EQ(one.path(), "0 1 2 3 6 4 5 7 8");
  EXPECT_EQ(one.value(1, 0), 0xFFu);
  EXPECT_EQ(one.value(1, 8), 0xFFFFFF00u);
}

}  // namespace sm70_warp_sync_test
}  // namespace shflsim::isa
