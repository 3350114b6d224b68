// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "isa/check/checker.h"
#include "isa/codec/codec.h"
#include "tests/isa/ptx/support.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace check_test {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> findings_in_ptx(const std::string& text) {
  return findings(ptx_program(text));
}

std::vector<std::string> findings_in_manual(const std::string& text) {
  return findings(Dialects::named("manual").open({"m", text})->program("m"));
}

class CompilerMadeKernel : public testing::TestWithParam<std::string> {};

std::vector<std::string> names() {
  return test::lines_of(test::read_file(test::data_path("sm50/kernels.names.txt")));
}

TEST_P(CompilerMadeKernel, has_nothing_to_find) {
  const auto source = open_source(test::data_path("sm50/kernels.nvdisasm.txt.gz"));
  const Program program = source->program(GetParam());
  const std::vector<uint32_t> in = hashed_words(1024);
  DeviceMemory memory;
  std::vector<uint8_t> bytes(4096);
  std::memcpy(bytes.data(), in.data(), bytes.size());
  const uint64_t pointers[] = {memory.allocate(bytes), memory.allocate(bytes), 1024};
  Launch launch;
  launch.grid = {4, 1, 1};
  launch.block = {256, 1, 1};
  launch.parameters.resize(20);
  std::memcpy(launch.parameters.data(), pointers, 20);
  Checker checker(program);
  execute(program, launch, memory, checker);
  for (const CheckFinding& finding : checker.finish()) {
    ADD_FAILURE() << program.texts[finding.index] << ": " << finding.what;
  }
}

INSTANTIATE_TEST_SUITE_P(Sm50, CompilerMadeKernel, testing::ValuesIn(names()),
                         [](const auto& each) { return each.param; });

TEST(Check, finds_nothing_in_the_shipped_cuda_shuffles) {
  const auto source = open_source(test::source_path("traces/cuda_shuffles.ptx"));
  const uint64_t kThreads = 64;
  for (const std::string& kernel : source->kernels()) {
    const Program program = source->program(kernel);
    DeviceMemory memory;
    const std::vector<uint8_t> bytes(kThreads * 4);
    const uint64_t pointers[] = {memory.allocate(bytes), memory.allocate(bytes)};
    Launch launch;
    launch.block = {static_cast<uint32_t>(kThreads), 1, 1};
    launch.parameters.resize(sizeof pointers);
    std::memcpy(launch.parameters.data(), pointers, sizeof pointers);
    Checker checker(program);
    execute(program, launch, memory, checker);
    for (const CheckFinding& finding : checker.finish()) {
      ADD_FAILURE() << kernel << ": " << program.texts[finding.index] << ": " << finding.what;
    }
  }
}

TEST(Check, finds_reads_from_lanes_that_do_not_execute) {
  EXPECT_THAT(findings_in_ptx("mov.u32 l, %laneid; setp.lt.u32 p, l, 16;\n"
                              "@p shfl.down.b32 d, l, 1, 0x1f;"),
              ElementsAre("2 8000 reads from a lane that does not execute the shuffle"));
}

TEST(Check, finds_membermask_faults) {
  EXPECT_THAT(findings_in_ptx("mov.u32 l, %laneid; shfl.sync.bfly.b32 d, l, 1, 0x1f, 0xfffffffe;"),
              ElementsAre("1 2 reads from a lane outside its membermask",
                          "1 1 shuffles without being in its membermask"));
}

TEST(Check, finds_divergence_at_a_shuffle_that_needs_all_its_members) {
  EXPECT_THAT(
      findings_in_ptx("mov.u32 l, %laneid; setp.lt.u32 p, l, 16; @p bra end;\n"
                      "shfl.sync.bfly.b32 d, l, 1, 0x1f, 0xffffffff;\nend: add.u32 l, l, 1;"),
      testing::Contains("4 ffff is in the membermask of a shuffle that it does not execute in "
                        "convergence"));
}

TEST(Check, finds_up_with_a_clamp) {
  EXPECT_THAT(
      findings_in_ptx("mov.u32 l, %laneid; shfl.up.b32 d, l, 1, 3;"),
      ElementsAre("1 ffffffff is .UP with a clamp other than 0, which silicon compares with and "
                  "the manual does not; expected 0"));
}

TEST(Check, finds_predicates_that_nobody_reads) {
  EXPECT_THAT(findings_in_ptx("mov.u32 l, %laneid; shfl.up.b32 d|p, l, 1, 0;"),
              ElementsAre("1 ffffffff writes a predicate that nobody reads; expected PT"));
  EXPECT_THAT(findings_in_ptx("mov.u32 l, %laneid; shfl.up.b32 d|p, l, 1, 0; @p add.u32 l, l, d;"),
              IsEmpty());
}

TEST(Check, finds_shuffles_that_move_nothing) {
  EXPECT_THAT(findings_in_ptx("mov.u32 l, %laneid; shfl.bfly.b32 d, l, 0, 0x1f;"),
              ElementsAre("1 ffffffff moves nothing: every lane reads its own value"));
}

TEST(Check, finds_a_missing_wait) {
  EXPECT_THAT(
      findings_in_manual("S2R R0, SR_LANEID &wr=0x0 ?trans2\n"
                         "SHFL.BFLY PT, R1, R0, 1, 0x1f &req={0} &wr=0x1 ?trans2\n"
                         "IADD R2, R1, 1 ?trans6\n"),
      ElementsAre("2 ffffffff reads R1 before the SHFL at 0x0010 has delivered it; expected "
                  "a wait for SB1"));
}

TEST(Check, finds_a_missing_write_barrier) {
  EXPECT_THAT(
      findings_in_manual("S2R R0, SR_LANEID ?trans6\nIADD R2, R0, 1 ?trans6\n"),
      ElementsAre("1 ffffffff reads R0 before the S2R at 0x0008 has delivered it; expected a "
                  "write barrier there and a wait for it"));
}

TEST(Check, finds_stalls_that_are_too_short_for_each_kind_of_reader) {
  const auto with_stall = [](int stall, const std::string& reader) {
    return findings_in_manual("MOV32I R0, 5 ?trans" + std::to_string(stall) + "\n" + reader);
  };
  EXPECT_THAT(with_stall(6, "IADD R1, R0, 1 ?trans6\n"), IsEmpty());
  EXPECT_THAT(
      with_stall(5, "IADD R1, R0, 1 ?trans6\n"),
      ElementsAre("1 ffffffff reads R0 5 cycles after the MOV at 0x0008 on its way to IADD; "
                  "expected 6 at least"));
  EXPECT_THAT(with_stall(4, "SHFL.BFLY PT, R1, R0, 1, 0x1f ?trans2\n"), IsEmpty());
  EXPECT_EQ(with_stall(3, "SHFL.BFLY PT, R1, R0, 1, 0x1f ?trans2\n").size(), 1u);
  EXPECT_THAT(with_stall(2, "POPC R1, R0 ?trans2\n"), IsEmpty());
  EXPECT_EQ(with_stall(1, "POPC R1, R0 ?trans2\n").size(), 1u);
}

TEST(Check, finds_a_predicate_used_too_soon) {
  const auto with_stall = [](const std::string& stall) {
    return findings_in_manual("ISETP.LT.AND P0, PT, RZ, 1, PT ?" + stall +
                              "\n@P0 MOV32I R0, 5 ?trans6\n");
  };
  EXPECT_THAT(with_stall("WAIT13_END_GROUP"), IsEmpty());
  EXPECT_EQ(with_stall("trans11").size(), 1u);
}

TEST(Check, finds_a_wait_that_comes_before_the_barrier_is_set) {
  EXPECT_THAT(findings_in_manual("S2R R0, SR_LANEID &wr=0x0 ?trans1\n"
                                 "IADD R2, R0, 1 &req={0} ?trans6\n"),
              ElementsAre("1 ffffffff waits for SB0 1 cycle behind the S2R at 0x0008 that sets it; "
                          "expected 2"));
}

TEST(Check, lets_a_later_shuffle_stand_for_an_earlier_one) {
  EXPECT_THAT(findings_in_manual("MOV32I R0, 5 ?trans6\n"
                                 "SHFL.BFLY PT, R1, R0, 1, 0x1f ?trans2\n"
                                 "SHFL.BFLY PT, R2, R0, 2, 0x1f &wr=0x0 ?trans2\n"
                                 "IADD R3, R1, 1 &req={0} ?trans6\n"),
              IsEmpty());
}

}  // namespace check_test
}  // namespace shflsim::isa
