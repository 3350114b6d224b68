// SPDX-License-Identifier: Apache-2.0
// Where lanes of a warp meet: bar.warp.sync orders their accesses, and operations with a
// membermask that lanes reach from several places. The values are those of ptxas' code for sm_75.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isa/base/input_error.h"
#include "tests/isa/ptx/support.h"

namespace shflsim::isa {
namespace ptx_meeting_test {

using testing::HasSubstr;
using Words = std::vector<uint32_t>;

/// A kernel with the lane in %l, the address of its word of `s` in %a and of `out` in %o; it
/// writes %v.
std::string kernel_of(const std::string& body, const std::string& target = "sm_75") {
  return ".version 7.0\n.target " + target +
         "\n.address_size 64\n.shared .b32 s[64];\n.global .b32 g[64];\n"
         ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)\n{\n"
         ".reg .b32 %l, %v, %w;\n.reg .b64 %a, %o, %d;\n.reg .pred %p, %q;\n"
         "mov.u32 %l, %laneid;\nmul.wide.u32 %d, %l, 4;\nmov.u64 %a, s;\nadd.u64 %a, %a, %d;\n"
         "ld.param.u64 %o, [out];\nadd.u64 %o, %o, %d;\n"
         "setp.lt.u32 %p, %l, 16;\nsetp.eq.u32 %q, %l, 40;\n" +
         body + "\nst.global.u32 [%o], %v;\nret;\n}\n";
}

Words run(const std::string& body) {
  Words words;
  for (const Lowering lowering : {Lowering::kPlain, Lowering::kOptimised}) {
    Witness witness;
    const Program program = ptx_program(kernel_of(body), "", lowering);
    const Words out = run_kernel(program, 1, kLanes, {7}, kLanes, &witness);
    EXPECT_TRUE(words.empty() || words == out);
    EXPECT_TRUE(witness.uses.empty());
    words = out;
  }
  return words;
}

TEST(PtxMeeting, OrdersStoresAndLoadsOfOtherLanes) {
  const auto own_but_first = by_lane([](uint32_t lane) { return lane == 0 ? 0 : lane - 1; });
  EXPECT_EQ(run("st.shared.u32 [%a], 0;\nst.shared.u32 [%a+4], %l;\nbar.warp.sync -1;\n"
                "ld.shared.u32 %v, [%a];"),
            own_but_first);
  EXPECT_EQ(run("mov.u64 %a, g;\nadd.u64 %a, %a, %d;\nst.global.u32 [%a+4], %l;\n"
                "barrier.warp.sync 0xffffffff;\nld.global.u32 %v, [%a];"),
            own_but_first);
}

TEST(PtxMeeting, OrdersLoadsAndLaterStoresOfOtherLanes) {
  EXPECT_EQ(run("st.shared.u32 [%a], %l;\nst.shared.u32 [%a+4], 99;\nbar.warp.sync -1;\n"
                "ld.shared.u32 %v, [%a];\nbar.warp.sync -1;\nst.shared.u32 [%a+4], 77;"),
            by_lane([](uint32_t lane) { return lane == 0 ? 0u : 99u; }));
  EXPECT_EQ(run("st.shared.u32 [%a], %l;\nbar.warp.sync -1;\n"
                "@%p st.shared.u32 [%a+64], 77;\nbar.warp.sync -1;\nld.shared.u32 %v, [%a];"),
            by_lane([](uint32_t lane) { return lane < 16 ? lane : 77u; }));
}

TEST(PtxMeeting, KeepsNothingThatWasReadBefore) {
  EXPECT_EQ(run("st.shared.u32 [%a], %l;\nbar.warp.sync -1;\nld.shared.u32 %w, [%a];\n"
                "bar.warp.sync -1;\nxor.b32 %v, %l, 1;\nmul.wide.u32 %d, %v, 4;\n"
                "mov.u64 %a, s;\nadd.u64 %d, %a, %d;\nmul.wide.u32 %a, %l, 4;\n"
                "{.reg .b64 %s;\nmov.u64 %s, s;\nadd.u64 %a, %a, %s;\n}\n"
                "add.u32 %w, %w, 100;\nst.shared.u32 [%d], %w;\nbar.warp.sync -1;\n"
                "ld.shared.u32 %v, [%a];"),
            by_lane([](uint32_t lane) { return (lane ^ 1) + 100; }));
}

TEST(PtxMeeting, OfALoopStandsInEachRound) {
  EXPECT_EQ(run("st.shared.u32 [%a], %l;\nst.shared.u32 [%a+128], 0;\nmov.u32 %w, 0;\n"
                "L: bar.warp.sync -1;\nld.shared.u32 %v, [%a+4];\nbar.warp.sync -1;\n"
                "st.shared.u32 [%a], %v;\nadd.u32 %w, %w, 1;\nsetp.lt.u32 %q, %w, 4;\n@%q bra L;"),
            by_lane([](uint32_t lane) { return lane < 28 ? lane + 4 : 0u; }));
}

/// Lanes 16 to 31 do `one`, the others `other`.
std::string sides(const std::string& one, const std::string& other) {
  return "mov.u32 %v, 0;\n@%p bra S;\n" + one + "\nadd.u32 %v, %v, 1;\nbra E;\nS: " + other +
         "\nadd.u32 %v, %v, 2;\nE:";
}

const std::vector<std::string> kOperations = {"shfl.sync.bfly.b32 %v, %l, 16, 31, -1;",
                                              "vote.sync.ballot.b32 %v, %q, -1;",
                                              "vote.sync.ballot.b32 %v, %q, 0x1ffff;",
                                              "vote.sync.any.pred %q, %q, -1;",
                                              "bar.warp.sync 0xffffffff;",
                                              "barrier.sync 0;"};

std::string error_of(const std::string& text) {
  Witness witness;
  try {
    run_kernel(ptx_program(text), 1, kLanes, {7}, kLanes, &witness);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(PtxMeeting, FromBothSidesOfABranchIsRefused) {
  for (const std::string& operation : kOperations) {
    EXPECT_THAT(error_of(kernel_of(sides(operation, operation))),
                HasSubstr("of the membermask are at another place, which PTX for sm_70 and later "
                          "may do but the code to which it is lowered (sm_50) cannot; expected a "
                          "cubin of sm_70 or later"))
        << operation;
  }
}

TEST(PtxMeeting, OfLanesOutsideTheirMembermaskIsRefused) {
  for (const char* operation :
       {"shfl.sync.bfly.b32 %v, %l, 1, 31, 0xffff;", "vote.sync.ballot.b32 %v, %q, 0xffff;",
        "vote.sync.all.pred %q, %q, 0xffff;"}) {
    EXPECT_THAT(error_of(kernel_of(operation)),
                HasSubstr("lanes 0xffff0000 are not in the membermask that they give"))
        << operation;
  }
}

/// As CUB gives it to groups of 12 lanes. ptxas' code ignores it where the warp is converged.
TEST(PtxMeeting, OfLanesOutsideTheirMembermaskForNothingButAnOrderIsAFinding) {
  Witness witness;
  const Program program = ptx_program(kernel_of("bar.warp.sync 0xfff;\nmov.u32 %v, 1;"));
  EXPECT_EQ(run_kernel(program, 1, kLanes, {7}, kLanes, &witness), Words(kLanes, 1));
  ASSERT_EQ(witness.uses.size(), 1u);
  EXPECT_EQ(witness.uses[0].lanes, 0xFFFFF000u);
  EXPECT_EQ(witness.uses[0].what, std::string("gives a membermask without itself"));
}

TEST(PtxMeeting, OfOneSideTakesTheMembermaskOfThatSide) {
  for (const char* operation :
       {"shfl.sync.bfly.b32 %v, %l, 1, 31, 0xffff;", "vote.sync.ballot.b32 %v, %q, 0xffff;",
        "bar.warp.sync 0xffff;\nmov.u32 %v, 1;"})
    EXPECT_EQ(error_of(kernel_of(sides("", operation))), "") << operation;
  const std::string ends = "@%p st.global.u32 [%o], %l;\n@%p exit;\n";
  for (const std::string& operation : kOperations)
    EXPECT_EQ(error_of(kernel_of("mov.u32 %v, 0;\n" + ends +
                                 (operation.find("0x1ffff;") != std::string::npos
                                      ? "vote.sync.ballot.b32 %v, %q, 0xffff0000;"
                                      : operation))),
              "")
        << operation;
}

/// Hardware before sm_70 does not stop either.
TEST(PtxMeeting, FromBothSidesIsAFindingInCodeForEarlierChips) {
  for (const char* operation : {"vote.sync.ballot.b32 %v, %q, -1;", "bar.warp.sync -1;"}) {
    Witness witness;
    run_kernel(ptx_program(kernel_of(sides(operation, operation), "sm_60")), 1, kLanes, {7}, kLanes,
               &witness);
    ASSERT_FALSE(witness.uses.empty()) << operation;
    EXPECT_EQ(witness.uses[0].what,
              std::string(
                  "is in the membermask of an operation that it does not execute in convergence"));
  }
}

}  // namespace ptx_meeting_test
}  // namespace shflsim::isa
