// SPDX-License-Identifier: Apache-2.0
#include "traces/recorder.h"

#include <gtest/gtest.h>

#include "isa/base/input_error.h"
#include "isa/codec/codec.h"

namespace shflsim::traces {
namespace recorder_test {

isa::Program program_of(const std::vector<std::string>& texts) {
  isa::Program program;
  program.name = "recorded";
  for (size_t i = 0; i < texts.size(); ++i) {
    isa::Instruction instruction;
    isa::decode(isa::encode(texts[i], isa::address_of(i)).word.low, isa::address_of(i), {},
                &instruction);
    program.code.push_back(instruction);
  }
  program.texts = texts;
  return program;
}

Trace record_two_blocks(const std::vector<std::string>& texts) {
  isa::Launch launch;
  launch.grid = {2, 1, 1};
  launch.block = {48, 1, 1};
  isa::DeviceMemory memory;
  isa::Outcome outcome;
  return record(program_of(texts), launch, memory, {}, &outcome);
}

TEST(Recorder, KeepsEveryWarpsStepsWithTheirLanes) {
  const Trace trace = record_two_blocks(
      {"S2R R0, SR_TID.X", "ISETP.LT.AND P0, PT, R0, 0x24, PT", "@P0 SHL R1, R0, 0x2", "EXIT"});
  EXPECT_EQ(trace.blocks, 2u);
  EXPECT_EQ(trace.threads_per_block, 48u);
  ASSERT_EQ(trace.warps.size(), 4u);
  EXPECT_EQ(trace.warps[3].block, 1u);
  EXPECT_EQ(trace.warps[3].warp, 1u);
  ASSERT_EQ(trace.warps[3].steps.size(), 4u);
  EXPECT_EQ(trace.warps[3].steps[1].lanes, 0x0000FFFFu);
  EXPECT_EQ(trace.warps[3].steps[2].lanes, 0x0000000Fu);
  EXPECT_EQ(trace.warps[3].steps[2].payload, Step::kNone);
  EXPECT_EQ(trace.warps[2].steps[2].lanes, 0xFFFFFFFFu);
}

TEST(Recorder, StoresEachLaneMapOnce) {
  const Trace trace =
      record_two_blocks({"SHFL.BFLY PT, R0, R1, 0x1, 0x1f", "SHFL.BFLY PT, R0, R1, 0x2, 0x1f",
                         "SHFL.BFLY PT, R0, R1, 0x1, 0x1f", "EXIT"});
  // Two patterns, each with all 32 lanes and with the 16 of a block's second warp.
  ASSERT_EQ(trace.lane_maps.size(), 4u);
  EXPECT_EQ(trace.warps[0].steps[0].payload, trace.warps[2].steps[2].payload);
  EXPECT_NE(trace.warps[0].steps[0].payload, trace.warps[1].steps[0].payload);
  EXPECT_EQ(trace.lane_maps[trace.warps[3].steps[1].payload].executing, 0x0000FFFFu);
  EXPECT_EQ(trace.lane_maps[trace.warps[3].steps[1].payload].source[5], 7u);
}

std::string error_of_grid(uint32_t blocks, uint64_t most_bytes) {
  isa::Launch launch;
  launch.grid = {blocks, 1, 1};
  launch.block = {32, 1, 1};
  isa::DeviceMemory memory;
  try {
    const isa::Program program = program_of({"BRA 0x0"});
    Recorder recorder(program, launch, most_bytes);
    isa::execute(program, launch, memory, recorder);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Recorder, A11A15StopsBeforeAGridOrALoopTakesAllOfTheMemory) {
  const std::string expected =
      "what the launch executes takes more than 1000000 bytes of memory; expected fewer or "
      "--max-instructions, or a trace that is written with shflsim trace record";
  EXPECT_EQ(error_of_grid(0x7FFFFFFF, 1'000'000), expected);
  EXPECT_EQ(error_of_grid(1, 1'000'000), expected);
}

TEST(Recorder, KeepsTheAddressesOfMemoryInstructions) {
  const Trace trace = record_two_blocks(
      {"S2R R0, SR_TID.X", "SHL R1, R0, 0x2", "STS [R1+0x10], R0", "LDS R2, [R1+0x10]", "EXIT"});
  const WarpTrace& warp = trace.warps[1];
  ASSERT_EQ(warp.addresses.size(), 2u);
  EXPECT_EQ(warp.steps[2].payload, 0u);
  EXPECT_EQ(warp.steps[3].payload, 1u);
  EXPECT_EQ(warp.addresses[0][3], 35u * 4 + 0x10);
  EXPECT_EQ(trace.shared_bytes, 48u * 4 + 0x10);
}

TEST(Recorder, MergesTheFindingsOfALoop) {
  // The upper half of the first warp reads from the lower one, which does not execute the SHFL.
  const Trace trace = record_two_blocks(
      {"S2R R0, SR_TID.X", "LOP.AND.NZ P0, RZ, R0, 0x10", "@P0 SHFL.BFLY PT, R1, R0, 0x10, 0x1f",
       "SHL R2, R0, 0x2", "STS [R2], R1", "IADD32I R3, R3, 0x1", "ISETP.LT.AND P1, PT, R3, 0x3, PT",
       "@P1 BRA 0x30", "EXIT"});
  ASSERT_EQ(trace.findings.size(), 2u);  // one per block
  EXPECT_EQ(trace.findings[0].index, 4u);
  EXPECT_EQ(trace.findings[0].block, 0u);
  EXPECT_EQ(trace.findings[0].lanes, 0xFFFF0000u);
  EXPECT_EQ(trace.findings[0].what, "stores an undefined value");
  EXPECT_EQ(trace.findings[1].block, 1u);
}

}  // namespace recorder_test
}  // namespace shflsim::traces
