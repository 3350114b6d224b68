// SPDX-License-Identifier: Apache-2.0
// Groups and `.reuse` marks, as ptxas has them.
#include "isa/dialects/reuse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isa/dialects/groups.h"
#include "isa/dialects/schedule.h"
#include "tests/isa/machine_support.h"

namespace shflsim::isa {
namespace reuse_test {

using testing::ElementsAre;

std::vector<unsigned> issue_codes(const Program& program) {
  std::vector<unsigned> codes;
  for (const Instruction& each : program.code) codes.push_back(each.control.issue_code);
  return codes;
}

TEST(EndGroups, LetsAnotherWarpGoOnBehindEverySixthIssue) {
  Program program = assemble({"MOV R0, RZ", "MOV R1, RZ", "MOV R2, RZ", "MOV R3, RZ", "MOV R4, RZ",
                              "MOV R5, RZ", "MOV R6, RZ"});
  choose_control(&program);
  end_groups(&program);
  EXPECT_THAT(issue_codes(program), ElementsAre(17, 17, 17, 17, 17, 1, 17, 21));
}

TEST(EndGroups, CountsFromWhereTheGroupHasEndedByItself) {
  Program program = assemble({"MOV R0, RZ", "ISETP.EQ.AND P0, PT, R0, R1, PT", "@P0 MOV R2, RZ",
                              "MOV R3, RZ", "MOV R4, RZ", "MOV R5, RZ", "MOV R6, RZ"});
  choose_control(&program);
  end_groups(&program);
  EXPECT_THAT(issue_codes(program), ElementsAre(22, 13, 17, 17, 17, 17, 17, 5));
}

TEST(EndGroups, CountsAPairOnce) {
  Program program = assemble({"MOV R0, RZ", "MOV R1, RZ", "MOV R2, RZ", "MOV R3, RZ", "MOV R4, RZ",
                              "MOV R5, RZ", "MOV R6, RZ"});
  choose_control(&program);
  program.code[1].control.issue_code = 16;
  end_groups(&program);
  EXPECT_THAT(issue_codes(program), ElementsAre(17, 16, 17, 17, 17, 17, 1, 21));
}

/// The text of each instruction after it is marked, without EXIT's.
std::vector<std::string> marked(const std::vector<std::string>& lines) {
  Program program = assemble(lines);
  choose_control(&program);
  mark_reuse(&program);
  program.texts.pop_back();
  return program.texts;
}

TEST(MarkReuse, IsWhereTheNextReaderOfThePositionHasTheSameRegister) {
  EXPECT_THAT(marked({"FFMA R4, R0, R1, R2", "FFMA R5, R0, R3, R2", "FFMA R6, R1, R3, R0"}),
              ElementsAre("FFMA R4, R0.reuse, R1, R2.reuse", "FFMA R5, R0, R3.reuse, R2",
                          "FFMA R6, R1, R3, R0"));
}

TEST(MarkReuse, SetsTheBitOfThePositionInTheControlField) {
  Program program = assemble({"FADD R4, R0, R2", "FFMA R5, R0, R3, R2"});
  choose_control(&program);
  mark_reuse(&program);
  EXPECT_EQ(program.code[0].control.reuse, 5u) << "b of FADD stands where c does";
  EXPECT_EQ(program.code[1].control.reuse, 0u);
}

TEST(MarkReuse, ReachesOverOtherReadersOfThePosition) {
  EXPECT_THAT(
      marked({"SHL R4, R0, 0x2", "SHL R5, R1, 0x2", "LDG.E R7, [R8]", "SHL R6, R0, 0x3"}),
      ElementsAre("SHL R4, R0.reuse, 0x2", "SHL R5, R1, 0x2", "LDG.E R7, [R8]", "SHL R6, R0, 0x3"));
}

TEST(MarkReuse, EndsWhereTheRegisterIsWritten) {
  EXPECT_THAT(marked({"SHL R0, R0, 0x2", "SHL R1, R0, 0x2", "MOV R0, RZ", "SHL R2, R0, 0x3"}),
              ElementsAre("SHL R0, R0, 0x2", "SHL R1, R0, 0x2", "MOV R0, RZ", "SHL R2, R0, 0x3"));
}

TEST(MarkReuse, EndsWhereOneOfAPairIsWritten) {
  EXPECT_THAT(marked({"DADD R4, R0, R2", "MOV R1, RZ", "DADD R6, R0, R2"}),
              ElementsAre("DADD R4, R0, R2.reuse", "MOV R1, RZ", "DADD R6, R0, R2"));
}

TEST(MarkReuse, IsForAsManyRegistersAsTheNextReaderTakes) {
  EXPECT_THAT(marked({"DADD R4, R0, R2", "SHL R6, R0, 0x3"}),
              ElementsAre("DADD R4, R0, R2", "SHL R6, R0, 0x3"));
}

TEST(MarkReuse, EndsWithTheGroup) {
  Program program = assemble({"SHL R1, R0, 0x2", "SHL R2, R0, 0x3", "SHL R3, R0, 0x4"});
  choose_control(&program);
  program.code[0].control.issue_code = 1;
  mark_reuse(&program);
  EXPECT_EQ(program.texts[0], "SHL R1, R0, 0x2");
  EXPECT_EQ(program.texts[1], "SHL R2, R0.reuse, 0x3");
}

TEST(MarkReuse, IsForMathAlone) {
  EXPECT_THAT(marked({"I2F.F32.S32 R1, R0", "I2F.F32.S32 R2, R0"}),
              ElementsAre("I2F.F32.S32 R1, R0", "I2F.F32.S32 R2, R0"));
}

TEST(MarkReuse, EndsWithTheBlock) {
  EXPECT_THAT(marked({"SHL R1, R0, 0x2", "again:", "SHL R2, R0, 0x3", "BRA again"}),
              ElementsAre("SHL R1, R0, 0x2", "SHL R2, R0, 0x3", "BRA again"));
}

}  // namespace reuse_test
}  // namespace shflsim::isa
