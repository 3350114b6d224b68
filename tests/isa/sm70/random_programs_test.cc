// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "isa/check/checker.h"
#include "isa/codec/codec.h"
#include "tests/isa/machine_support.h"
#include "tests/isa/sm70/random_program.h"
#include "tests/isa/sm70/support.h"

namespace shflsim::isa {
namespace sm70_random_programs_test {

struct Made {
  explicit Made(uint32_t seed, Arch arch = Arch::kSm80)
      : tree(random_tree(seed, arch)), program(assemble_sm70(arch, lines_of(tree))) {
    launch.block = {kLanes, 1, 1};
    for (unsigned i = kFirstData; i < kFirstData + kData; ++i) {
      std::vector<uint32_t> words;
      for (unsigned lane = 0; lane < kLanes; ++lane) words.push_back(first_value(seed, i, lane));
      launch.registers.push_back({static_cast<uint8_t>(i), words});
    }
  }
  std::vector<Node> tree;
  Program program;
  Launch launch;
};

constexpr uint32_t kPrograms = 1000;

void expect_same_values(const Made& made, uint32_t seed) {
  DeviceMemory memory;
  Witness witness;
  MachineOptions options;
  options.keep_registers = true;
  const Outcome outcome = execute(made.program, made.launch, memory, witness, options);
  const State state = interpreted(made.tree, seed);
  for (unsigned i = kFirstData; i < kFirstData + kData; ++i) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      ASSERT_EQ(outcome.warps[0].values[i][lane], state.r[i][lane])
          << "program " << seed << ", R" << i << ", lane " << lane;
  }
}

TEST(RandomProgramsOfSm80, give_what_a_second_interpreter_gives) {
  for (uint32_t seed = 0; seed < kPrograms; ++seed)
    ASSERT_NO_FATAL_FAILURE(expect_same_values(Made(seed), seed));
}

TEST(RandomProgramsOfSm90, give_what_a_second_interpreter_gives) {
  for (uint32_t seed = 0; seed < kPrograms; ++seed)
    ASSERT_NO_FATAL_FAILURE(expect_same_values(Made(seed, Arch::kSm90), seed));
}

TEST(RandomProgramsOfSm90, come_to_one_operation_from_both_sides_of_a_branch) {
  unsigned from_both = 0;
  for (uint32_t seed = 0; seed < kPrograms; ++seed) {
    const Made made(seed, Arch::kSm90);
    DeviceMemory memory;
    Witness witness;
    execute(made.program, made.launch, memory, witness);
    for (size_t i = 2; i < witness.steps.size(); ++i) {
      const Witness::Step& sync = witness.steps[i - 1];
      const bool is_sync = made.program.code[sync.index].op == Op::kSm70_WARPSYNC;
      from_both += is_sync && (witness.steps[i].lanes & ~sync.lanes) != 0 ? 1 : 0;
    }
  }
  EXPECT_GT(from_both, 100u);
}

TEST(RandomProgramsOfSm80, come_back_from_their_text_as_the_same_words) {
  for (uint32_t seed = 0; seed < kPrograms; ++seed) {
    const Made made(seed);
    for (const Instruction& instruction : made.program.code) {
      const std::string text = text_of(instruction);
      Word word = encode(Arch::kSm80, text, instruction.address).word;
      Instruction again;
      ASSERT_EQ(decode(Arch::kSm80, word, instruction.address, &again), "") << text;
      set_control(instruction.control, &again);
      ASSERT_EQ(again.word, instruction.word) << text;
    }
  }
}

/// The number of missing waits that the checker finds in a run.
unsigned waits_missing(const Made& made) {
  DeviceMemory memory;
  Checker checker(made.program);
  execute(made.program, made.launch, memory, checker);
  unsigned found = 0;
  for (const CheckFinding& finding : checker.finish())
    found += finding.what.find("expected a w") != std::string::npos ? 1 : 0;
  return found;
}

constexpr uint32_t kChecked = 200;

TEST(RandomProgramsOfSm90, wait_for_all_they_use) {
  for (uint32_t seed = 0; seed < kChecked; ++seed)
    ASSERT_EQ(waits_missing(Made(seed, Arch::kSm90)), 0u) << "program " << seed;
}

TEST(RandomProgramsOfSm80, wait_for_all_they_use_until_their_waits_are_taken_away) {
  for (uint32_t seed = 0; seed < kChecked; ++seed) {
    Made made(seed);
    ASSERT_EQ(waits_missing(made), 0u) << "program " << seed;
    for (Instruction& instruction : made.program.code) {
      Control control = instruction.control;
      control.wait_mask = 0;
      set_control(control, &instruction);
    }
    ASSERT_GT(waits_missing(made), 0u) << "program " << seed;
  }
}

}  // namespace sm70_random_programs_test
}  // namespace shflsim::isa
