// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "isa/code/latency.h"
#include "model/run.h"
#include "tests/support/code_trace.h"
#include "tests/support/layers.h"

namespace shflsim::model {
namespace pipeline_gm107_test {

/// Code between two clock reads, each instruction once; every SHFL takes its own lane's value.
/// Two reads of the clock with code between them.
traces::Trace clocked(const std::string& code, unsigned warps) {
  return test::trace_of("S2R R40, SR_CLOCKLO;\n" + code + "S2R R41, SR_CLOCKLO;\n", warps);
}

RunResult run_on_gm107(const std::string& code, unsigned warps = 1) {
  return run(clocked(code, warps), test::layers_of("gm107"));
}

/// Cycles from the first clock read's issue to the second's.
Cycle cycles_between(const RunResult& result) {
  return result.warps.front().clock_reads.at(1) - result.warps.front().clock_reads.at(0);
}

std::string repeated(const std::string& text, unsigned times) {
  std::string all;
  for (unsigned i = 0; i < times; ++i) all += text;
  return all;
}

TEST(PipelineGm107, DependentMathIssuesEverySixCycles) {
  const std::string chain = "FADD R1, R1, R1;\n";
  EXPECT_EQ(cycles_between(run_on_gm107(repeated(chain, 5))), 1 + 4 * 6 + 1);
}

TEST(PipelineGm107, AChainWithoutControlBitsKeepsItsPaceFromTheFirstCycleOn) {
  traces::Trace trace = clocked("", 1);
  trace.code = test::code_of("FADD R1, R1, R1;\nFADD R1, R1, R1;\nEXIT;\n");
  ASSERT_FALSE(trace.code.has_control);
  const RunResult result = run(trace, test::layers_of("gm107"));
  EXPECT_EQ(result.instructions.at(1).states[static_cast<size_t>(WarpState::kWait)], 5u);
  EXPECT_EQ(result.cycles, 8u);
}

/// Warp 0 jumps over 16 FFMA, which warp 4, of the same sub-partition, executes meanwhile.
Cycle cycles_of_a_branch_beside(const std::string& math, const std::string& frozen) {
  const std::string code = "S2R R40, SR_CLOCKLO ?trans1;\nBRA A ?trans10;\n" + repeated(math, 16) +
                           "A: S2R R41, SR_CLOCKLO ?trans1;\n";
  traces::Trace trace;
  trace.code = test::code_of(code);
  trace.threads_per_block = 5 * isa::kLanes;
  const auto last = static_cast<uint32_t>(trace.code.lines.size() - 2);  // EXIT follows
  for (unsigned w = 0; w < 5; ++w) {
    traces::WarpTrace warp;
    warp.warp = w;
    for (uint32_t i = 0; i <= last; ++i) {
      const bool executes = w == 4 ? i > 1 && i < last : i < 2 || i == last;
      if (executes) warp.steps.push_back({i, isa::kAllLanes, traces::Step::kNone});
    }
    trace.warps.push_back(warp);
  }
  return cycles_between(run(trace, test::layers_of("gm107", {"branch.frozen=" + frozen})));
}

TEST(PipelineGm107, ABranchGoesOnWhileLateOperandsStopIssueButForItsStallCount) {
  const std::string free = "FFMA R20, R8, R9, R10 ?trans1;\n";
  const std::string late = "FFMA R20, R8, R12, R16 ?trans2;\n";
  EXPECT_EQ(cycles_of_a_branch_beside(free, "0"), 1 + 20);
  EXPECT_EQ(cycles_of_a_branch_beside(free, "1"), 1 + 20);
  EXPECT_EQ(cycles_of_a_branch_beside(late, "0"), 1 + 20);
  EXPECT_EQ(cycles_of_a_branch_beside(late, "1"), 1 + 20 + 9);
}

TEST(PipelineGm107, AGuardMayBeUsedThirteenCyclesBehindItsComparison) {
  const std::string code = "ISETP.LT.AND P0, PT, R1, R2, PT;\n@P0 FADD R3, R4, R5;\n";
  EXPECT_EQ(cycles_between(run_on_gm107(code)), 1 + 13 + 1);
}

TEST(PipelineGm107, AShuffleMayFollowItsMathOperandByFourCycles) {
  EXPECT_EQ(isa::least_distance(isa::Carrier::kRegister, isa::Pipe::kShuffle), 4u);
  const std::string code =
      "FADD R5, R1, R1 ?trans4;\nSHFL.IDX PT, R4, R5, 0, 0x1f &wr=0 ?trans1;\n";
  EXPECT_EQ(cycles_between(run_on_gm107(code)), 1 + 4 + 1);
}

/// Code without control bits, and its distance from the FADD whose result it reads.
struct User {
  std::string name;
  std::string code;
  Cycle distance;
};

class PipelineGm107Scoreboard : public ::testing::TestWithParam<User> {};

TEST_P(PipelineGm107Scoreboard, LetsAUserOfMathIssueAtThePublishedDistance) {
  traces::Trace trace = clocked("", 1);
  trace.code = test::code_of("FADD R1, R2, R3;\n" + GetParam().code);
  ASSERT_FALSE(trace.code.has_control);
  trace.warps[0].steps[1].payload = GetParam().name == "Shuffle" ? 0 : traces::Step::kNone;
  const RunResult result = run(trace, test::layers_of("gm107"));
  EXPECT_EQ(result.instructions.at(1).states[static_cast<size_t>(WarpState::kWait)] + 1,
            GetParam().distance);
}

INSTANTIATE_TEST_SUITE_P(Users, PipelineGm107Scoreboard,
                         ::testing::Values(User{"Math", "FADD R4, R1, R1;\n", 6},
                                           User{"Shuffle", "SHFL.IDX PT, R4, R1, 0, 0x1f;\n", 4},
                                           User{"SharedLoad", "LDS R4, [R1];\n", 4},
                                           User{"GlobalLoad", "LDG.E R4, [R1];\n", 2},
                                           User{"SpecialFunction", "MUFU.EX2 R4, R1;\n", 2}),
                         [](const auto& user) { return user.param.name; });

struct Reads {
  std::string name;
  std::string code;
  Cycle cycles;
};

class PipelineGm107Reads : public ::testing::TestWithParam<Reads> {};

TEST_P(PipelineGm107Reads, TakeThePublishedCycles) {
  // Eight instructions at the fixed rate, then the clock read after the last one.
  EXPECT_EQ(cycles_between(run_on_gm107(repeated(GetParam().code, 4))), GetParam().cycles);
}

INSTANTIATE_TEST_SUITE_P(
    Banks, PipelineGm107Reads,
    ::testing::Values(
        Reads{"ThreeBanks", "FFMA R20, R1, R2, R3 ?trans1;\nFFMA R24, R1, R2, R3 ?trans1;\n", 9},
        Reads{"TwoOfOneBank", "FFMA R20, R1, R5, R3 ?trans1;\nFFMA R24, R1, R5, R3 ?trans1;\n",
              1 + 7 * 2},
        Reads{"ThreeOfOneBank", "FFMA R20, R1, R5, R9 ?trans1;\nFFMA R24, R1, R5, R9 ?trans1;\n",
              1 + 7 * 3},
        Reads{"OneRegisterTwice", "FFMA R20, R1, R1, R3 ?trans1;\nFFMA R24, R1, R1, R3 ?trans1;\n",
              9},
        // The first of each set reads both registers of the bank, all others only the second.
        Reads{"TwoReuseSets",
              "FFMA R20, R1.reuse, R5, R3 ?trans1;\nFFMA R24, R9.reuse, R5, R3 ?trans1;\n", 9 + 1}),
    [](const auto& each) { return each.param.name; });

TEST(PipelineGm107, ThreeReuseSetsOfASlotDoNotFit) {
  const std::string sets =
      "FFMA R20, R1.reuse, R5, R3 ?trans1;\nFFMA R24, R9.reuse, R5, R3 ?trans1;\n"
      "FFMA R28, R13.reuse, R5, R3 ?trans1;\n";
  EXPECT_EQ(cycles_between(run_on_gm107(repeated(sets, 4))), 1 + 11 * 2);
}

struct IssueCode {
  std::string name;
  Cycle cycles;
};

class PipelineGm107IssueCode : public ::testing::TestWithParam<IssueCode> {};

TEST_P(PipelineGm107IssueCode, HoldsTheWarpForItsInterval) {
  const std::string code = "MOV R1, R2 ?" + GetParam().name + ";\n";
  EXPECT_EQ(cycles_between(run_on_gm107(code)), 1 + GetParam().cycles);
}

INSTANTIATE_TEST_SUITE_P(Named, PipelineGm107IssueCode,
                         ::testing::Values(IssueCode{"PIXBAR", 16}, IssueCode{"YIELD6", 6},
                                           IssueCode{"YIELD8", 8}, IssueCode{"OFF_DECK", 12}),
                         [](const auto& each) { return each.param.name; });

TEST(PipelineGm107, AMarkedPairIssuesInOneCycle) {
  const RunResult result =
      run_on_gm107("FADD R1, R2, R3 ?floxy2;\nSHFL.IDX PT, R4, R5, 0, 0x1f &wr=0 ?trans1;\n");
  EXPECT_EQ(result.dual_issued, 1u);
}

TEST(PipelineGm107, FourSubPartitionsTogetherShuffleOnceACycle) {
  constexpr unsigned kShuffles = 16;
  const RunResult result =
      run_on_gm107(repeated("SHFL.IDX PT, R4, R5, 0, 0x1f ?trans1;\n", kShuffles), 4);
  const auto is_shuffle = [](const UnitStats& unit) { return unit.name == "shuffle"; };
  const auto unit = std::find_if(result.units.begin(), result.units.end(), is_shuffle);
  EXPECT_EQ(unit->operations, 4u * kShuffles);
  EXPECT_EQ(unit->busy, 4u * kShuffles);
  EXPECT_GE(result.cycles, 4u * kShuffles);
  EXPECT_LE(result.cycles, 4u * kShuffles + 60);
}

}  // namespace pipeline_gm107_test
}  // namespace shflsim::model
