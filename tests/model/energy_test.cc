// SPDX-License-Identifier: Apache-2.0
#include "model/energy/energy.h"

#include <gtest/gtest.h>

namespace shflsim::model {
namespace energy_test {

/// An IADD3 and a SHFL of one warp each in each of two blocks, without values.
traces::Trace two_blocks() {
  traces::Trace trace;
  trace.blocks = 2;
  trace.code.lines.resize(2);
  trace.code.lines[0].pipe = isa::Pipe::kFxu;
  trace.code.lines[0].footprint.read_count = 2;
  trace.code.lines[0].footprint.write_count = 1;
  trace.code.lines[1].pipe = isa::Pipe::kShuffle;
  return trace;
}

RunResult run_of(unsigned sms, Cycle cycles) {
  RunResult result;
  result.sms = sms;
  result.cycles = cycles;
  result.instructions.resize(2);
  for (InstructionStats& stats : result.instructions) stats.issued = 2;
  result.instructions[0].lanes = 40;
  result.instructions[1].lanes = 64;
  result.counts.push_back({"passes", {StatColumn::kNone, 6}});
  return result;
}

EnergyParams priced() {
  EnergyParams params;
  params.idle_power = 100;
  params.sms = 100;
  params.launch = 3;
  params.block = 7;
  params.activity = 25;  // half of what `data` is given for
  params.works[static_cast<size_t>(Work::kIssue)] = {1000, 0};
  params.works[static_cast<size_t>(Work::kRegister)] = {100, 200};
  params.works[static_cast<size_t>(Work::kFixedPoint)] = {2000, 1000};
  params.works[static_cast<size_t>(Work::kShuffle)] = {500, 500};
  return params;
}

EnergyStats found(const RunResult& result, const std::string& work) {
  for (const EnergyStats& each : result.energy) {
    if (each.work == work) return each;
  }
  ADD_FAILURE() << work;
  return {};
}

TEST(Energy, OfAnInstructionIsThatOfItsIssuesRegistersAndLanes) {
  RunResult result = run_of(1, 1000);
  add_energy(two_blocks(), priced(), {1000, 1}, &result);
  // 2 issues; 40 lanes of 3 registers at 100 + 200 / 2; 40 lanes at 2000 + 1000 / 2.
  EXPECT_EQ(result.count("energy_pj", 0), 2u + 24 + 100);
  // 2 issues, 6 passes of 32 lanes at 500 + 500 / 2.
  EXPECT_EQ(result.count("energy_pj", 1), 2u + 144);
  EXPECT_EQ(found(result, "register").amount, 120u);
  EXPECT_EQ(found(result, "register").toggling, 60u);
  EXPECT_EQ(found(result, "fixed_point").picojoules, 100u);
  EXPECT_EQ(found(result, "shuffle").picojoules, 144u);
  EXPECT_EQ(found(result, "block").picojoules, 14u);
  EXPECT_EQ(found(result, "launch").picojoules, 3000u);
}

TEST(Energy, OfShufflesFollowsTheNetworksPass) {
  RunResult result = run_of(1, 1000);
  add_energy(two_blocks(), priced(), {1000, 1.5}, &result);
  EXPECT_EQ(result.count("energy_pj", 1), 2u + 216);
}

/// 100 W for a microsecond are 100 uJ.
TEST(Energy, IsIdleForAsLongAsAllSmsThatTheBlocksFillTake) {
  const auto idle = [](unsigned sms, unsigned blocks) {
    traces::Trace trace = two_blocks();
    trace.blocks = blocks;
    RunResult result = run_of(sms, 1000);
    add_energy(trace, priced(), {1000, 1}, &result);
    return found(result, "idle").picojoules;
  };
  EXPECT_EQ(idle(1, 1), 100'000'000u) << "one block is on one SM, and the whole board waits";
  EXPECT_EQ(idle(1, 2), 50'000'000u) << "two would be on two, in half of the time";
  EXPECT_EQ(idle(1, 1000), 1'000'000u);
  EXPECT_EQ(idle(50, 1000), 50'000'000u);
  EXPECT_EQ(idle(100, 1000), 100'000'000u);
  EXPECT_EQ(idle(100, 30), 100'000'000u);
}

TEST(Energy, IsIdleBetweenTwoLaunchesOfARow) {
  RunResult result = run_of(1, 1000);
  EnergyParams params = priced();
  params.launch_gap = 500;
  traces::Trace trace = two_blocks();
  trace.blocks = 1;
  add_energy(trace, params, {1000, 1}, &result);
  EXPECT_EQ(found(result, "idle").picojoules, 150'000'000u) << "100 W for 1 us and half a us";
  EXPECT_EQ(found(result, "launch").picojoules, 3000u) << "what a launch takes beyond that";
}

}  // namespace energy_test
}  // namespace shflsim::model
