// SPDX-License-Identifier: Apache-2.0
// The checker's findings in code of sm_70 and later while it runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isa/base/input_error.h"
#include "isa/check/checker.h"
#include "tests/isa/machine_support.h"
#include "tests/isa/sm70/support.h"

namespace shflsim::isa {
namespace sm70_check_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> findings(const std::vector<std::string>& lines) {
  return isa::findings(assemble_sm70(Arch::kSm80, lines));
}

TEST(Sm70Check, finds_reads_from_lanes_that_do_not_execute) {
  EXPECT_THAT(findings({"S2R R0, SR_LANEID", "ISETP.LT.AND P0, PT, R0, 0x8, PT",
                        "@P0 SHFL.DOWN PT, R1, R0, 0x2, 0x1f"}),
              ElementsAre("2 c0 reads from a lane that does not execute the shuffle"));
}

TEST(Sm70Check, finds_reads_from_the_other_side_of_a_branch_and_nothing_behind_bsync) {
  EXPECT_THAT(findings({"S2R R0, SR_LANEID", "ISETP.LT.AND P0, PT, R0, 0x10, PT", "BSSY B0, end",
                        "@P0 BRA sync", "SHFL.BFLY PT, R1, R0, 0x10, 0x1f", "sync:", "BSYNC B0",
                        "end:", "SHFL.BFLY PT, R2, R0, 0x10, 0x1f"}),
              ElementsAre("4 ffff0000 reads from a lane that does not execute the shuffle"));
}

TEST(Sm70Check, finds_up_with_a_clamp) {
  EXPECT_THAT(
      findings({"S2R R0, SR_LANEID", "SHFL.UP PT, R1, R0, 0x4, 0x3"}),
      ElementsAre("1 ffffffff is .UP with a clamp other than 0, which silicon compares with and "
                  "the manual does not; expected 0"));
}

TEST(Sm70Check, finds_a_shuffle_that_moves_nothing) {
  EXPECT_THAT(findings({"S2R R0, SR_LANEID", "SHFL.IDX PT, R1, R0, R0, 0x1f"}),
              ElementsAre("1 ffffffff moves nothing: every lane reads its own value"));
}

TEST(Sm70Check, finds_predicates_that_nobody_reads_on_any_path) {
  EXPECT_THAT(findings({"S2R R0, SR_LANEID", "ISETP.LT.AND P0, P1, R0, 0x10, PT", "BSSY B0, end",
                        "@P0 BRA over", "@P1 MOV R1, 0x1", "over:", "BSYNC B0", "end:",
                        "SHFL.UP P2, R2, R0, 0x1, RZ", "UISETP.LT.AND UP1, UPT, UR4, 0x4, UPT"}),
              ElementsAre("6 ffffffff writes a predicate that nobody reads; expected PT",
                          "7 ffffffff writes a predicate that nobody reads; expected PT"));
  EXPECT_THAT(findings({"UISETP.LT.AND UP1, UPT, UR4, 0x4, UPT", "@UP1 UMOV UR5, 0x1"}), IsEmpty());
}

TEST(Sm70Check, finds_a_missing_wait_where_it_runs) {
  EXPECT_THAT(findings({"S2R R0, SR_LANEID &wr=0 ?trans2", "IADD3 R1, R0, 0x1, RZ ?trans6"}),
              ElementsAre("1 ffffffff reads R0 before the S2R at 0x0000 has delivered it; expected "
                          "a wait for SB0"));
}

TEST(Sm70Check, says_in_one_line_that_lanes_wait_for_each_other) {
  try {
    findings({"S2R R0, SR_LANEID", "ISETP.LT.AND P0, PT, R0, 0x10, PT", "@!P0 BRA other",
              "WARPSYNC 0xffffffff", "EXIT", "other:", "WARPSYNC 0xffffffff"});
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("block 0, warp 0: lanes 0x0000ffff wait here, lanes "
                                        "0xffff0000 at 0x0050"));
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
  }
}

}  // namespace sm70_check_test
}  // namespace shflsim::isa
