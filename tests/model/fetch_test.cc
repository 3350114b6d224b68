// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "isa/dialects/source.h"
#include "model/fetch/instruction_cache.h"
#include "model/run.h"
#include "tests/support/layers.h"

namespace shflsim::model {
namespace fetch_test {

constexpr uint32_t kPerLine = 12;  // 128 bytes of SPA 5.0: three instructions in 32 bytes

/// Caches small enough to be filled by hand: 8 lines, then 16; 10 cycles to the L1, 20 more to the
/// L2 and 30 for what the L2 needs.
const std::vector<std::string> kSmallCaches = {
    "fetch.warm=0",        "fetch.buffer=0",       "fetch.line_bytes=128", "fetch.branch_latency=5",
    "fetch.l0_bytes=1024", "fetch.l0_latency=10",  "fetch.stream=2",       "fetch.ahead=2",
    "fetch.l1_bytes=2048", "fetch.l1_ways=16",     "fetch.l1_interval=0",  "fetch.l1_latency=20",
    "fetch.l15_bytes=0",   "fetch.l15_interval=0", "fetch.l15_latency=30"};

/// The code from its first to its last instruction, `passes` times over.
traces::Trace trace_of(const std::string& code, unsigned passes, unsigned warps) {
  const std::string file = "test.sass";
  traces::Trace trace;
  trace.code =
      isa::code_of(isa::find_kernel(*isa::Dialects::named("manual").open({file, code}), "", file));
  trace.threads_per_block = warps * isa::kLanes;
  const auto lines = static_cast<uint32_t>(std::count(code.begin(), code.end(), '\n'));
  for (unsigned w = 0; w < warps; ++w) {
    traces::WarpTrace warp;
    warp.warp = w;
    for (unsigned pass = 0; pass < passes; ++pass) {
      for (uint32_t i = 0; i < lines; ++i)
        warp.steps.push_back({i, isa::kAllLanes, traces::Step::kNone});
    }
    trace.warps.push_back(warp);
  }
  return trace;
}

/// A clock read, instructions that issue one per cycle, and a clock read.
traces::Trace straight_code(uint32_t instructions, unsigned passes, unsigned warps = 1,
                            const std::string& text = "NOP ?trans1;\n") {
  std::string code = "S2R R40, SR_CLOCKLO ?trans1;\n";
  for (uint32_t i = 2; i < instructions; ++i) code += text;
  return trace_of(code + "S2R R41, SR_CLOCKLO ?trans1;\n", passes, warps);
}

RunResult run_with(const traces::Trace& trace, const std::vector<std::string>& settings = {}) {
  ConfigLayers layers = test::layers_of("gm107", kSmallCaches);
  for (const std::string& setting : settings) layers.add_setting(setting);
  return run(trace, layers);
}

/// Cycles between the two clock reads of a pass.
Cycle pass_time(const RunResult& result, size_t pass) {
  const std::vector<Cycle>& reads = result.warps.front().clock_reads;
  return reads.at(2 * pass + 1) - reads.at(2 * pass);
}

TEST(Fetch, TheFirstInstructionOfAColdKernelComesFromTheL2) {
  const RunResult result = run_with(straight_code(2, 1));
  EXPECT_EQ(result.warps.front().first_issue, 20u + 30u);
  EXPECT_EQ(result.instructions.at(0).states[static_cast<size_t>(WarpState::kNoInstruction)], 50u);
}

struct ColdLine {
  uint32_t last;  ///< index of the second clock read
  Cycle cycles;
};

class FetchColdLine : public ::testing::TestWithParam<ColdLine> {};

// Lines 0 and 1 arrive together, at cycle 50. Line 2 is requested at 50 and arrives at 100; line 3
// is requested at the first issue in line 1, at 62, line 4 at that in line 2, at 100.
TEST_P(FetchColdLine, ComesAsItsStreamDoes) {
  EXPECT_EQ(pass_time(run_with(straight_code(GetParam().last + 1, 1)), 0), GetParam().cycles);
}

INSTANTIATE_TEST_SUITE_P(Ends, FetchColdLine,
                         ::testing::Values(ColdLine{kPerLine - 1, 11}, ColdLine{kPerLine, 12},
                                           ColdLine{2 * kPerLine - 1, 23},
                                           ColdLine{2 * kPerLine, 100 - 50},
                                           ColdLine{3 * kPerLine, 112 - 50},
                                           ColdLine{4 * kPerLine, 150 - 50}));

TEST(Fetch, ALoopThatFitsTheL0MissesOnlyInItsFirstPass) {
  const RunResult result = run_with(straight_code(5 * kPerLine, 2));
  EXPECT_GT(pass_time(result, 0), 5u * kPerLine - 1);
  EXPECT_EQ(pass_time(result, 1), 5u * kPerLine - 1);
  EXPECT_EQ(result.warps.front().clock_reads.at(2) - result.warps.front().clock_reads.at(1), 5u);
}

TEST(Fetch, ALoopThatFitsTheL1MissesTheL0WhereItIsLedBack) {
  const RunResult result = run_with(straight_code(12 * kPerLine, 2));
  // The branch's five cycles, then the L0's ten; what follows is streamed in time.
  EXPECT_EQ(result.warps.front().clock_reads.at(2) - result.warps.front().clock_reads.at(1), 15u);
  EXPECT_EQ(pass_time(result, 1), 12u * kPerLine - 1);
}

TEST(Fetch, ALoopThatFitsNothingIsAsSlowInItsSecondPass) {
  const RunResult result = run_with(straight_code(24 * kPerLine, 2));
  EXPECT_GT(pass_time(result, 0), 24u * kPerLine - 1 + 200);
  EXPECT_EQ(pass_time(result, 1), pass_time(result, 0));
}

/// Cycles of the second pass, whose first instruction is so many from the end of its line, until
/// the next line issues.
Cycle time_to_next_line(uint32_t left, const std::string& second_line) {
  std::string code;
  for (uint32_t i = 0; i < kPerLine - left; ++i) code += "NOP ?trans1;\n";
  code += "S2R R40, SR_CLOCKLO ?trans1;\n";
  for (uint32_t i = 1; i < left; ++i) code += "NOP ?trans1;\n";
  code += "S2R R41, SR_CLOCKLO ?trans1;\n";
  traces::Trace trace = trace_of(code, 2, 1);
  auto& steps = trace.warps.front().steps;
  steps.erase(steps.begin() + kPerLine + 1, steps.begin() + 2 * kPerLine + 1 - left);
  return pass_time(run_with(trace, {second_line}), 1);
}

// measured: block_sweep, transpose_bytes and transpose_sixteen, whose loops begin with the last
// instruction of a line
TEST(Fetch, TheSecondLineBehindAJumpIsThreeCyclesBehindTheFirstIssue) {
  EXPECT_EQ(time_to_next_line(1, "fetch.second_line=3"), 3u);
  EXPECT_EQ(time_to_next_line(2, "fetch.second_line=3"), 3u);
  EXPECT_EQ(time_to_next_line(4, "fetch.second_line=3"), 4u);
  EXPECT_EQ(time_to_next_line(1, "fetch.second_line=0"), 1u);
}

TEST(Fetch, AWarmKernelThatFitsNeverWaits) {
  const RunResult result = run_with(straight_code(8 * kPerLine, 1), {"fetch.warm=1"});
  EXPECT_EQ(result.warps.front().first_issue, 0u);
  EXPECT_EQ(pass_time(result, 0), 8u * kPerLine - 1);
}

TEST(Fetch, LaunchThatFindsTheL0EmptyBringsItsLinesFromTheL1) {
  const RunResult result =
      run_with(straight_code(8 * kPerLine, 1), {"fetch.warm=1", "fetch.warm_l0=0"});
  EXPECT_EQ(result.warps.front().first_issue, 10u);
  EXPECT_EQ(pass_time(result, 0), 8u * kPerLine - 1);
}

/// The time of a line and one more instruction, two cycles each, without a stream.
Cycle time_of_slow_line(const std::string& buffer) {
  const auto trace = straight_code(kPerLine + 1, 1, 1, "NOP ?trans2;\n");
  return pass_time(run_with(trace, {"fetch.stream=1", "fetch.ahead=0", buffer}), 0);
}

// The line is requested when the last instruction before it issues, which is the twelfth...
TEST(Fetch, WithoutABufferALineIsAskedForWhenItsTurnHasCome) {
  EXPECT_EQ(time_of_slow_line("fetch.buffer=0"), 1u + 10 * 2 + 50);
}

// ... or when the ninth issues.
TEST(Fetch, TheBufferAsksForALineWhileTheInstructionsBeforeItWait) {
  EXPECT_EQ(time_of_slow_line("fetch.buffer=3"), 1u + 7 * 2 + 50);
}

TEST(Fetch, SubPartitionsGetOneLineAfterTheOtherFromTheL1) {
  const auto trace = straight_code(12 * kPerLine, 2, 4);
  const RunResult result = run_with(trace, {"fetch.l1_interval=4"});
  std::vector<Cycle> led_back;
  for (const WarpStats& warp : result.warps)
    led_back.push_back(warp.clock_reads.at(2) - warp.clock_reads.at(1));
  // Each requests two lines and waits for the first, and at least for the L0's ten cycles.
  EXPECT_EQ(led_back, (std::vector<Cycle>{5 + 10, 5 + 10, 5 + 16, 5 + 24}));
}

const std::vector<std::string> kOneLaunched = {"fetch.l15_bytes=4096", "fetch.l15_lines=1",
                                               "fetch.l15_stream=1",   "fetch.launch_bytes=128",
                                               "fetch.stream=1",       "fetch.ahead=0"};

TEST(Fetch, ALaunchBringsTheCodeIntoTheL15) {
  EXPECT_EQ(run_with(straight_code(2, 1), kOneLaunched).warps.front().first_issue, 20u);
}

TEST(Fetch, WhatALaunchDoesNotBringComesFromTheL2) {
  EXPECT_EQ(pass_time(run_with(straight_code(kPerLine + 1, 1), kOneLaunched), 0), 11u + 50);
}

TEST(Fetch, AnotherWarpOfTheSubPartitionFindsTheLinesOfTheFirst) {
  traces::Trace trace = straight_code(5 * kPerLine, 1, 5);
  trace.warps[4].start = 1000;
  const RunResult result = run_with(trace);
  EXPECT_EQ(result.warps[4].first_issue, 1000u);
  EXPECT_EQ(result.warps[4].clock_reads.at(1) - result.warps[4].clock_reads.at(0),
            5u * kPerLine - 1);
}

/// A line whose last instruction may issue together with the first of the next line.
RunResult run_pair_across_lines(const std::string& warm) {
  std::string code;
  for (uint32_t i = 1; i < kPerLine; ++i) code += "NOP ?trans1;\n";
  code += "FADD R1, R2, R3 ?floxy2;\nLDS R4, [R5] &wr=0 ?trans1;\n";
  return run_with(trace_of(code, 1, 1), {"fetch.stream=1", "fetch.ahead=0", warm});
}

TEST(Fetch, AMarkedPairIssuesTogetherWhereBothLinesAreThere) {
  EXPECT_EQ(run_pair_across_lines("fetch.warm=1").dual_issued, 1u);
}

TEST(Fetch, TheSecondOfAMarkedPairWaitsForItsLine) {
  const RunResult result = run_pair_across_lines("fetch.warm=0");
  EXPECT_EQ(result.dual_issued, 0u);
  EXPECT_EQ(result.instructions.at(kPerLine).states[static_cast<size_t>(WarpState::kNoInstruction)],
            49u);  // requested when the first of the pair issues, 50 cycles away
}

TEST(InstructionCache, ReplacesTheOldestOfASet) {
  InstructionCache cache(16, 4, 2);  // two sets of two: even and odd blocks
  for (const uint32_t block : {0u, 2u, 1u}) cache.put(block, block + 5);
  EXPECT_EQ(cache.since(0), 5u);
  cache.put(4, 9);
  EXPECT_EQ(cache.since(0), InstructionCache::kAbsent);
  EXPECT_EQ(cache.since(2), 7u);
  EXPECT_EQ(cache.since(1), 6u);
  EXPECT_EQ(cache.since(4), 9u);
}

}  // namespace fetch_test
}  // namespace shflsim::model
