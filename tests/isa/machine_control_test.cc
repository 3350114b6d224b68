// SPDX-License-Identifier: Apache-2.0
// Divergence, calls, barriers, and the machine's errors on faulty programs.
#include <gtest/gtest.h>

#include "isa/base/input_error.h"
#include "tests/isa/machine_support.h"

namespace shflsim::isa {
namespace machine_control_test {

std::vector<uint32_t> lane_numbers() {
  std::vector<uint32_t> lanes;
  for (uint32_t lane = 0; lane < kLanes; ++lane) lanes.push_back(lane);
  return lanes;
}

/// R0 holds the lane number.
Experiment with_lanes(const std::vector<std::string>& lines) {
  Experiment one(lines);
  one.set_lanes(0, lane_numbers());
  return one;
}

const std::vector<std::string> kIfElse = {
    "ISETP.LT.AND P0, PT, R0, 0x8, PT",  // 0
    "SSY done",                          // 1
    "@P0 BRA then",                      // 2
    "MOV32I R1, 0x2",                    // 3
    "SYNC",                              // 4
    "then:",
    "MOV32I R1, 0x1",  // 5
    "SYNC",            // 6
    "done:",
    "IADD32I R1, R1, 0x10",  // 7
};

TEST(DivergenceTest, RunsBothSidesOfABranchAndMeetsAgain) {
  Experiment one = with_lanes(kIfElse).run();
  EXPECT_EQ(one.path(), "0 1 2 5 6 3 4 7 8");
  EXPECT_EQ(one.value(1, 7), 0x11u);
  EXPECT_EQ(one.value(1, 8), 0x12u);
  EXPECT_EQ(one.witness.steps[3].lanes, 0x000000FFu);
  EXPECT_EQ(one.witness.steps[5].lanes, 0xFFFFFF00u);
  EXPECT_EQ(one.witness.steps[7].lanes, kAllLanes);
}

TEST(DivergenceTest, SendsLanesAheadThroughAGuardedSync) {
  Experiment one = with_lanes({"ISETP.LT.AND P0, PT, R0, 0x8, PT", "SSY done", "@P0 SYNC",
                               "MOV32I R1, 0x2", "SYNC", "done:", "IADD32I R1, R1, 0x10"});
  one.run();
  EXPECT_EQ(one.path(), "0 1 2 3 4 5 6");
  EXPECT_EQ(one.value(1, 7), 0x10u);
  EXPECT_EQ(one.value(1, 8), 0x12u);
}

TEST(DivergenceTest, LetsEveryLaneLoopAsOftenAsItWants) {
  Experiment one = with_lanes({"SSY done", "again:", "IADD32I R1, R1, 0x3", "IADD32I R2, R2, 0x1",
                               "ISETP.LE.AND P0, PT, R2, R0, PT", "@P0 BRA again", "SYNC",
                               "done:", "IADD32I R1, R1, 0x100"});
  one.run();
  for (unsigned lane = 0; lane < kLanes; ++lane) EXPECT_EQ(one.value(1, lane), 0x103 + 3 * lane);
}

TEST(DivergenceTest, BreaksAndContinuesOutOfANestedIf) {
  // for (r2 = 1;; ++r2) { if (r2 == lane) break; if (r2 & 1) continue; r1 += r2; }
  Experiment one = with_lanes({"PBK out", "loop:", "PCNT next", "IADD32I R2, R2, 0x1", "SSY more",
                               "ISETP.NE.AND P0, PT, R2, R0, PT", "@P0 SYNC", "BRK",
                               "more:", "LOP.AND.NZ P1, RZ, R2, 0x1", "@P1 CONT", "IADD R1, R1, R2",
                               "CONT", "next:", "ISETP.LT.AND P2, PT, R2, 0x40, PT", "@P2 BRA loop",
                               "BRK", "out:", "MOV R3, R2"});
  one.run();
  for (unsigned lane = 1; lane < kLanes; ++lane) {
    uint32_t sum = 0;
    for (uint32_t i = 1; i < lane; ++i) sum += (i & 1) != 0 ? 0 : i;
    EXPECT_EQ(one.value(1, lane), sum) << lane;
    EXPECT_EQ(one.value(3, lane), lane);
  }
  EXPECT_EQ(one.value(3, 0), 0x40u);
}

TEST(DivergenceTest, ReturnsFromACallThatOnlySomeLanesMake) {
  Experiment one =
      with_lanes({"ISETP.LT.AND P0, PT, R0, 0x4, PT", "SSY done", "@!P0 SYNC", "CAL twice", "SYNC",
                  "done:", "IADD32I R0, R0, 0x100", "EXIT", "twice:", "IADD R0, R0, R0", "RET"});
  one.run();
  EXPECT_EQ(one.value(0, 3), 0x106u);
  EXPECT_EQ(one.value(0, 4), 0x104u);
}

TEST(DivergenceTest, EndsSomeLanesInsideABranch) {
  Experiment one = with_lanes({"ISETP.LT.AND P0, PT, R0, 0x8, PT", "SSY done", "@P0 BRA leave",
                               "SYNC", "leave:", "EXIT", "done:", "MOV32I R1, 0x7"});
  one.run();
  EXPECT_EQ(one.value(1, 7), 0u);
  EXPECT_EQ(one.value(1, 8), 7u);
  EXPECT_EQ(one.witness.steps.back().lanes, 0xFFFFFF00u);
}

TEST(DivergenceTest, JumpsWhereEachLanesRegisterSays) {
  // Lanes 0 to 15 go to the instruction after the branch, the others two instructions further.
  Experiment one = with_lanes({"SHR.U32 R1, R0, 0x4", "SHL R1, R1, 0x4", "SSY done", "BRX R1 0x0",
                               "MOV32I R2, 0x5", "SYNC", "MOV32I R2, 0x6", "SYNC",
                               "done:", "IADD32I R2, R2, 0x10"});
  one.run();
  EXPECT_EQ(one.value(2, 15), 0x15u);
  EXPECT_EQ(one.value(2, 16), 0x16u);
}

TEST(ConditionTest, BranchesOnTheConditionCode) {
  struct {
    const char* test;
    uint32_t a, b;
    bool taken;
  } const rows[] = {
      {"CC.LT", 1, 2, true},           {"CC.LT", 0x7FFFFFFF, 0xFFFFFFFF, false},
      {"CC.EQ", 5, 5, true},           {"CC.NE", 5, 5, false},
      {"CC.GE", 0x80000000, 1, false}, {"CC.LO", 1, 2, true},
      {"CC.HI", 3, 2, true},           {"CC.HS", 2, 2, true},
      {"CC.GT", 7, 2, true},           {"CC.LE", 7, 2, false},
  };
  for (const auto& row : rows) {
    Experiment one({"IADD R3.CC, R1, -R2", std::string("BRA ") + row.test + ", skip",
                    "MOV32I R0, 0x1", "skip:", "NOP"});
    one.set(1, row.a);
    one.set(2, row.b);
    one.run();
    EXPECT_EQ(one.value(0), row.taken ? 0u : 1u) << row.test << " " << row.a << " " << row.b;
  }
}

TEST(BarrierTest, LetsEachWarpSeeWhatTheOthersStored) {
  Experiment one({"S2R R0, SR_TID.X", "SHL R1, R0, 0x2", "STS [R1], R0", "BAR.SYNC 0x0",
                  "LOP32I.XOR R1, R1, 0x80", "LDS R2, [R1]"});
  one.launch.block = {64, 1, 1};
  one.run();
  EXPECT_EQ(one.value(2, 5, 0), 37u);
  EXPECT_EQ(one.value(2, 5, 1), 5u);
  EXPECT_EQ(one.outcome.shared_bytes, 256u);
}

TEST(BarrierTest, ReducesAPredicateOverTheBlock) {
  Experiment one({"S2R R0, SR_TID.X", "ISETP.LT.AND P0, PT, R0, 0x25, PT",
                  "ISETP.LT.AND P1, PT, R0, 0x40, PT", "BAR.RED.POPC 0x0, P0", "B2R.RESULT R1",
                  "BAR.RED.AND 0x0, P0", "B2R.RESULT RZ, P2", "BAR.RED.AND 0x0, P1",
                  "B2R.RESULT RZ, P3", "BAR.RED.OR 0x0, !P1", "B2R.RESULT RZ, P4"});
  one.launch.block = {64, 1, 1};
  one.run();
  EXPECT_EQ(one.value(1, 9, 1), 37u);
  EXPECT_EQ(one.predicate(2), 0u);
  EXPECT_EQ(one.predicate(3), kAllLanes);
  EXPECT_EQ(one.predicate(4), 0u);
}

TEST(BarrierTest, DoesNotWaitForWarpsThatHaveEnded) {
  Experiment one({"S2R R0, SR_TID.X", "ISETP.GE.AND P0, PT, R0, 0x20, PT", "@P0 EXIT",
                  "BAR.SYNC 0x0", "MOV32I R1, 0x7"});
  one.launch.block = {96, 1, 1};
  one.run();
  EXPECT_EQ(one.value(1), 7u);
}

TEST(BarrierTest, CountsThreadsWhereACountIsGiven) {
  Experiment one({"S2R R0, SR_TID.X", "ISETP.GE.AND P0, PT, R0, 0x20, PT", "@P0 BRA second",
                  "BAR.SYNC 0x1, 0x40", "LDS R2, [RZ]", "EXIT", "second:", "MOV32I R3, 0x9",
                  "STS [RZ], R3", "BAR.ARV 0x1, 0x40"});
  one.launch.block = {64, 1, 1};
  one.run();
  EXPECT_EQ(one.value(2), 9u);
}

TEST(MachineErrors, NameTheKernelTheAddressAndWhatIsWrong) {
  struct {
    std::vector<std::string> lines;
    const char* expected;
  } const rows[] = {
      {{"SYNC"}, "no SSY token to return to"},
      {{"RET"}, "no call token to return to"},
      {{"here:", "BRA here"}, "still running after 1000 instructions"},
      {{"here:", "SSY here", "BRA here"}, "entries on the divergence stack"},
      {{"BAR.SYNC 0x0, 0x40"}, "waits for barrier 0, which too few warps reach"},
      {{"BRA 0x4000"}, "jumps outside the kernel"},
      {{"MOV R0, c[0x0][0x148]"}, "reads bytes 8 to 11 of the kernel's arguments, but only 0"},
      {{"MOV R0, c[0x3][0x10]"},
       "constant bank 3 holds 0 bytes; expected the file that has its constants (--constants)"},
      {{"LDC R0, c[0x0][R1+0x150]"}, "beyond its end"},
      {{"LDG.E R0, [R2]"}, "4 bytes at address 0x0, outside every buffer"},
      {{"LDS.64 R0, [0x4]"}, "address 0x4 is not a multiple of the access's 8 bytes"},
      {{"LDS R0, [0xc000]"}, "outside the block's 49152 bytes"},
      {{"STL [0x10000], R0"}, "outside the thread's 65536 bytes"},
      {{"BPT.TRAP"}, "the kernel traps"},
      {{"SHL.X R0, R1, R2"}, "the form .X cannot be executed"},
      {{"MOV32I R1, 0x4000", "BRX R1 0x0"}, "jumps to 0x4018, outside the kernel"},
      {{"LEPC R0"}, "LEPC cannot be executed"},
  };
  for (const auto& row : rows) {
    Experiment one(row.lines);
    one.options.step_limit = row.lines.size() == 3 ? 1'000'000 : 1000;
    const std::string message = one.failure();
    EXPECT_NE(message.find("kernel 'test' at 0x0"), std::string::npos) << message;
    EXPECT_NE(message.find(row.expected), std::string::npos) << message;
  }
}

TEST(MachineErrors, RefuseAKernelWithoutInstructions) {
  Program program;
  program.name = "test";
  DeviceMemory memory;
  Witness witness;
  try {
    execute(program, Launch(), memory, witness);
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "kernel 'test' has no instructions; expected one at least");
  }
}

TEST(MachineErrors, RefuseExtentsThatNoSmHas) {
  Experiment one({"NOP"});
  one.launch.block = {1025, 1, 1};
  EXPECT_EQ(one.failure(), "a block of 1025 threads; expected 1024 at most");
  one.launch.block = {0, 1, 1};
  EXPECT_EQ(one.failure(), "grid and block must be at least 1 in every dimension");
}

TEST(MachineErrors, A15TheLimitOfInstructionsIsOfAllWarpsTogether) {
  Experiment one({"here:", "BRA here"});
  one.launch.block = {1024, 1, 1};
  one.options.step_limit = 100'000;
  EXPECT_NE(one.failure().find("still running after 100000 instructions of all warps"),
            std::string::npos);
  EXPECT_EQ(one.witness.steps.size(), 100'000u);
}

TEST(MachineErrors, A11AGridIsHeldAgainstThatLimitBeforeAnythingRuns) {
  Experiment one({"NOP"});
  one.launch.grid = {0x7FFFFFFF, 0xFFFF, 0xFFFF};
  EXPECT_EQ(one.failure(),
            "a grid of 9223090559730712575 warps; expected 33554432 at most (--max-instructions)");
}

TEST(MachineErrors, A1ARegisterThatOnlyTheLaunchNamesHasRoom) {
  Experiment one({"MOV R1, R0"});
  one.set(254, 5);
  EXPECT_EQ(one.run().value(254, 31), 5u);
}

TEST(MachineErrors, A6AnIndexRegisterThatNothingElseNamesIsThere) {
  Experiment one({"LDC R0, c[0x0][R200+0x140]"});
  one.launch.parameters = {7, 0, 0, 0};
  EXPECT_EQ(one.run().value(0), 7u);
  EXPECT_EQ(one.value(200), 0u);
}

TEST(MachineErrors, A6RegistersThatCannotHoldAValueTogetherAreRefused) {
  const std::pair<const char*, const char*> rows[] = {
      {"LDS.128 R253, [R0]", "R253 cannot be the first of 4 registers; expected a multiple of 4"},
      {"LDS.128 R252, [R0]", "R252 cannot be the first of 4 registers; expected a multiple of 4"},
      {"LDS.64 R3, [R0]", "R3 cannot be the first of 2 registers; expected a multiple of 2"},
      {"LDG.E R0, [R5]", "R5 cannot be the first of 2 registers; expected a multiple of 2"},
      {"DADD R2, R4, R7", "R7 cannot be the first of 2 registers; expected a multiple of 2"},
  };
  for (const auto& [text, expected] : rows) {
    EXPECT_NE(Experiment({text}).failure().find(expected), std::string::npos) << text;
  }
}

TEST(MachineErrors, NoticeCodeWithoutAnEnd) {
  Experiment one({"NOP"});
  one.program.code.pop_back();
  EXPECT_EQ(one.failure(), "kernel 'test': block 0, warp 0: runs past the last instruction");
}

}  // namespace machine_control_test
}  // namespace shflsim::isa
