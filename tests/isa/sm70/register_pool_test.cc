// SPDX-License-Identifier: Apache-2.0
// Misuse of USETMAXREG (PTX: setmaxnreg).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/isa/machine_support.h"

namespace shflsim::isa {
namespace sm70_register_pool_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// What is reported of a block of 8 warps; warps 4 to 7 have P0. The program has 40 registers.
std::vector<std::string> reports_of(std::vector<std::string> lines) {
  const std::vector<std::string> start = {"S2R R0, SR_TID.X", "ISETP.GE.AND P0, PT, R0, 0x80, PT",
                                          "MOV R39, 0x1"};
  lines.insert(lines.begin(), start.begin(), start.end());
  Experiment one(lines, Arch::kSm90);
  one.launch.block.x = 256;
  one.run();
  std::vector<std::string> reports;
  for (const UndefinedUse& use : one.witness.uses) reports.emplace_back(use.what);
  return reports;
}

constexpr char kGives[] = "USETMAXREG.DEALLOC.CTAPOOL 0x20";
constexpr char kGets[] = "USETMAXREG.TRY_ALLOC.CTAPOOL UP0, 0x30";

TEST(RegisterPool, NothingIsReportedWhereOneGroupGetsWhatAnotherGives) {
  EXPECT_THAT(reports_of({"@P0 BRA other", kGives, "EXIT", "other:", kGets, "EXIT"}), IsEmpty());
}

TEST(RegisterPool, ReportsMoreRegistersThanTheBlockHas) {
  EXPECT_THAT(reports_of({"@P0 BRA other", "EXIT", "other:", kGets, "EXIT"}),
              ElementsAre("asks for more registers than the block has"));
}

TEST(RegisterPool, ReportsWarpsOfAGroupThatMakeNoChange) {
  EXPECT_THAT(reports_of({"ISETP.GE.AND P0, PT, R0, 0x20, PT", "@P0 EXIT", kGives}),
              ElementsAre("is not executed by all four warps of a group"));
}

TEST(RegisterPool, ReportsChangesInTheWrongDirection) {
  EXPECT_THAT(reports_of({"@P0 EXIT", "USETMAXREG.DEALLOC.CTAPOOL 0x38"}),
              testing::Contains("gives registers away that its warp does not have"));
  EXPECT_THAT(reports_of({"@P0 EXIT", "USETMAXREG.TRY_ALLOC.CTAPOOL UP0, 0x20"}),
              testing::Contains("asks for fewer registers than its warp has"));
}

TEST(RegisterPool, ReportsTheUseOfARegisterThatWasGivenAway) {
  EXPECT_THAT(reports_of({"@P0 EXIT", kGives, "MOV R32, R0"}),
              ElementsAre("uses a register beyond those that setmaxnreg leaves"));
  EXPECT_THAT(reports_of({"@P0 EXIT", kGives, "MOV R31, R0"}), IsEmpty());
}

TEST(RegisterPool, RefusesANumberThatHardwareDoesNotTake) {
  for (const char* number : {"0x21", "0x10", "0x108"}) {
    Experiment one({std::string("USETMAXREG.DEALLOC.CTAPOOL ") + number}, Arch::kSm90);
    EXPECT_THAT(one.failure(), HasSubstr("not a multiple of 8 from 24 to 256, cannot be executed"));
  }
}

}  // namespace sm70_register_pool_test
}  // namespace shflsim::isa
