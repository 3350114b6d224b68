// SPDX-License-Identifier: Apache-2.0
// Neighbouring instructions that issue in one cycle, as in ptxas' code.
#include "isa/dialects/pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isa/dialects/schedule.h"
#include "tests/isa/machine_support.h"

namespace shflsim::isa {
namespace pairs_test {

using testing::ElementsAre;

/// The issue codes that are chosen for the lines if pairs are allowed, without EXIT's.
std::vector<unsigned> codes(const std::vector<std::string>& lines) {
  Program program = assemble(lines);
  choose_control(&program, Issue::kPairs);
  std::vector<unsigned> codes;
  for (const Instruction& each : program.code) codes.push_back(each.control.issue_code);
  codes.pop_back();
  return codes;
}

TEST(Pairs, AreMathAndALoadBehindIt) {
  EXPECT_THAT(codes({"IADD R0, R1, R2", "LDG.E R4, [R6]", "IADD R3, R1, R2"}),
              ElementsAre(16, 18, 16));
}

TEST(Pairs, AreNotTwoOfMathNorALoadAndMath) {
  EXPECT_THAT(codes({"LDG.E R4, [R6]", "IADD R0, R1, R2", "IADD R3, R1, R2", "LDS R5, [R7]"}),
              ElementsAre(18, 17, 16, 18));
}

TEST(Pairs, AreNotWhereTheSecondReadsWhatTheFirstWrites) {
  EXPECT_THAT(codes({"IADD R6, R1, R2", "LDG.E R4, [R6]", "IADD R3, R1, R2"}),
              ElementsAre(18, 18, 16));
  EXPECT_THAT(codes({"ISETP.EQ.AND P0, PT, R1, R2, PT", "@P0 LDG.E R4, [R6]", "IADD R3, R1, R2"}),
              ElementsAre(13, 18, 16));
}

TEST(Pairs, CountNoCycleOnTheWayToAReaderInTheNextBlock) {
  EXPECT_THAT(codes({"IADD R0, R1, R2", "again:", "IADD R3, R1, R2", "LDS R4, [R0]", "BRA again"}),
              ElementsAre(20, 16, 18, 21));
}

TEST(Pairs, AreNotOverTheBeginOfABlock) {
  EXPECT_THAT(codes({"IADD R0, R1, R2", "again:", "SHFL.BFLY PT, R3, R4, 0x1, 0x1f", "BRA again"}),
              ElementsAre(17, 18, 21));
}

TEST(Pairs, AreNotWithCallsFencesOrDoublePrecision) {
  const auto second = [](const std::string& line) { return codes({"IADD R0, R1, R2", line})[0]; };
  EXPECT_EQ(second("MEMBAR.GL"), 17u);
  EXPECT_EQ(second("NOP"), 17u);
  EXPECT_EQ(second("DADD R4, R6, R8"), 17u);
  EXPECT_EQ(second("CAL 0x10"), 17u);
  EXPECT_EQ(second("SSY 0x8"), 16u);
  EXPECT_EQ(second("MUFU.RCP R4, R5"), 16u);
}

}  // namespace pairs_test
}  // namespace shflsim::isa
