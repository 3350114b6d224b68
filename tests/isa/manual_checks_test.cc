// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/manual_checks.h"

#include <gtest/gtest.h>

#include <string>

#include "isa/base/input_error.h"
#include "isa/dialects/source.h"

namespace shflsim::isa {
namespace manual_checks_test {

Program read(const std::string& text) {
  return Dialects::named("manual").open({"k.sass", text})->program("k");
}

/// "NAME:line:column" of each unwritten read.
std::string unwritten(const std::string& text) {
  std::string found;
  for (const auto& [name, where] : read(text).unwritten_reads) {
    found += (found.empty() ? "" : " ") + name + ":" + std::to_string(where.line) + ":" +
             std::to_string(where.column);
  }
  return found;
}

/// The error in a text, without the file's name; "" if there is none.
std::string refused(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return std::string(error.what()).substr(7);
  }
  return "";
}

TEST(UnwrittenRead, U2iOfAMisspeltRegisterIsFoundWhereItStands) {
  EXPECT_EQ(unwritten("S2R Rval, SR_LANEID\nIADD Rsum, Rval, Rvla\nIADD R1, Rvla, 1\n"),
            "Rvla:2:18");
}

TEST(UnwrittenRead, OfWhatIsWrittenLaterIsOne) {
  EXPECT_EQ(unwritten("IADD Rsum, Rsum, 1\nMOV Rsum, RZ\n"), "Rsum:1:12");
}

TEST(UnwrittenRead, InALoopSeesWhatTheLoopWrites) {
  EXPECT_EQ(unwritten("loop: IADD R1, Rsum, 1\nMOV Rsum, R1\n@P0 BRA loop\n"), "");
  EXPECT_EQ(unwritten("IADD R1, Rsum, 1\nloop: MOV Rsum, R1\n@P0 BRA loop\n"), "Rsum:1:10");
}

TEST(UnwrittenRead, IsNoneWhereOnePathOrAWideRegisterWrites) {
  EXPECT_EQ(unwritten("@P0 MOV Rx, RZ\nIADD R1, Rx, 1\n"), "");
  EXPECT_EQ(unwritten("LDG.64 Ra, [R8]\nIADD R9, Ra, Rb\n"), "");  // Rb is next to Ra
}

TEST(UnwrittenRead, BehindACallIsNone) {
  EXPECT_EQ(unwritten("CAL sub\nIADD R1, Rx, 1\nEXIT\nsub: MOV Rx, RZ\nRET\n"), "");
  EXPECT_EQ(unwritten("CAL sub\nIADD R1, Rx, 1\nEXIT\nsub: RET\n"), "Rx:2:10");
}

TEST(UnwrittenRead, OfANumberedRegisterIsNone) {
  EXPECT_EQ(unwritten("IADD R1, R2, R3\nSTG [R4], R5\n"), "");
}

TEST(LostWait, U2iOfAMaskTakenForANumberIsNamed) {
  const Program program = read("SHFL.IDX PT, R1, R2, 0, 0x1f &wr1\nIADD R3, R1, 1 &req_1\n");
  ASSERT_EQ(program.warnings.size(), 1u);
  EXPECT_EQ(program.warnings[0],
            "k.sass:2:16: warning: waits for SB0, which nothing sets, and nothing waits for SB1; "
            "did you mean &req={1}? A number behind &req is a mask");
}

TEST(LostWait, OfAScoreboardThatNothingSetsIsNamed) {
  const Program program = read("NOP &wr0\nNOP &req={0,3}\nNOP &req=0x10\n");
  ASSERT_EQ(program.warnings.size(), 2u);
  EXPECT_EQ(program.warnings[0], "k.sass:2:5: warning: waits for SB3, which nothing sets");
  EXPECT_EQ(program.warnings[1], "k.sass:3:5: warning: waits for SB4, which nothing sets");
}

TEST(LostWait, IsNoneWhereBothFormsSayTheSame) {
  EXPECT_TRUE(read("NOP &wr1\nNOP &req_2\n").warnings.empty());
  EXPECT_TRUE(read("NOP &rd=1\nNOP &req={1}\n").warnings.empty());
}

TEST(Encode, U2iNamesTheNearestModifier) {
  EXPECT_EQ(refused("SHFL.BLFY PT, R1, R0, 1, 0x1f\n"),
            "1:5: cannot read the operands of SHFL; expected one of .IDX, .UP, .DOWN, .BFLY; did "
            "you mean '.BFLY'?");
  EXPECT_NE(refused("FADD.FZT R1, R2, R3\n").find("; did you mean '.FTZ'?"), std::string::npos);
}

TEST(Encode, NamesTheNearestSpecialRegisterLabelAndRegister) {
  EXPECT_NE(refused("S2R R1, SR_LANID\n").find("; did you mean 'SR_LANEID'?"), std::string::npos);
  EXPECT_NE(refused("loop: NOP\nBRA lopo\n").find("; did you mean 'loop'?"), std::string::npos);
  EXPECT_NE(refused("MOV Rval, RZ\nIADD R1, rval, R2\n").find("; did you mean 'Rval'?"),
            std::string::npos);
}

TEST(Manual, U4CudaSourceIsRefusedWithWhatToCompileItTo) {
  EXPECT_EQ(refused("__global__ void k(float* in) {\n  float v = in ? in[0] : 0;\n}\n"),
            " is CUDA source; expected what is compiled from it (nvcc -ptx)");
}

}  // namespace manual_checks_test
}  // namespace shflsim::isa
