// SPDX-License-Identifier: Apache-2.0
// Arbitrary branches: cycles with several entries.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "isa/base/input_error.h"
#include "tests/isa/ptx/support.h"

namespace shflsim::isa {
namespace ptx_goto_test {

constexpr unsigned kBlocks = 6;

std::string kernel_of(const std::string& body) {
  return ".version 8.0\n.target sm_50\n.address_size 64\n.visible .entry k(.param .u64 in, "
         ".param .u64 out, .param .u32 n)\n{\n.reg .b32 %t, %v, %x, %c, %m;\n"
         ".reg .b64 %at, %to, %wide;\n.reg .pred %p;\n"
         "ld.param.u64 %at, [in];\nld.param.u64 %to, [out];\nmov.u32 %t, %tid.x;\n"
         "mul.wide.u32 %wide, %t, 4;\nadd.s64 %at, %at, %wide;\nadd.s64 %to, %to, %wide;\n"
         "ld.global.u32 %v, [%at];\nmov.u32 %x, %v;\nmov.u32 %c, 0;\n" +
         body + "E:\nst.global.u32 [%to], %v;\nret;\n}\n";
}

/// Blocks that each continue in one of two others, or end after 30 of them.
std::string random_gotos(uint32_t seed) {
  std::mt19937 random(seed);
  std::string text;
  const auto label = [&random] { return "L" + std::to_string(random() % kBlocks); };
  for (unsigned block = 0; block < kBlocks; ++block) {
    text += "L" + std::to_string(block) + ":\nmul.lo.u32 %v, %v, " +
            std::to_string(2 * (random() % 50) + 3) + ";\nadd.u32 %c, %c, 1;\n" +
            "setp.gt.u32 %p, %c, 30;\n@%p bra E;\nand.b32 %m, %v, " +
            std::to_string(1u << (random() % 8)) + ";\nsetp.ne.u32 %p, %m, 0;\n@%p bra " + label() +
            ";\n";
    if (random() % 2 == 0) text += "bra " + label() + ";\n";
  }
  return kernel_of(text);
}

std::vector<uint32_t> run_warp(const Program& program) {
  Witness witness;
  return run_kernel(program, 1, kLanes, hashed_words(kLanes), kLanes, &witness);
}

TEST(PtxGoto, ComputesInAWarpWhatItComputesPlain) {
  constexpr uint32_t kPrograms = 300;
  uint32_t refused = 0;
  for (uint32_t seed = 1; seed <= kPrograms; ++seed) {
    const std::string text = random_gotos(seed);
    // Some programs have branches that cannot be joined.
    if (!ptx_error(text).empty()) {
      ++refused;
      continue;
    }
    ASSERT_EQ(run_warp(ptx_program(text)), run_warp(ptx_program(text, "", Lowering::kPlain)))
        << "seed " << seed << "\n"
        << text;
  }
  EXPECT_LT(refused, kPrograms / 4);
}

TEST(PtxGoto, IntoALoopCopiesWhatIsInFrontOfItsHead) {
  const Program program = ptx_program(
      kernel_of("setp.lt.s32 %p, %v, 0;\n@%p bra M;\nL:\nadd.s32 %v, %v, %x;\nadd.s32 %c, %c, 1;\n"
                "setp.gt.s32 %p, %c, 5;\n@%p bra E;\nand.b32 %m, %v, 2;\nsetp.ne.s32 %p, %m, 0;\n"
                "@%p bra L;\nM:\nshr.u32 %m, %x, %c;\nxor.b32 %v, %v, %m;\nadd.s32 %c, %c, 1;\n"
                "setp.lt.s32 %p, %c, 9;\n@%p bra L;\n"));
  EXPECT_EQ(std::count_if(program.texts.begin(), program.texts.end(),
                          [](const std::string& text) { return text.find("PBK") == 0; }),
            1);
}

TEST(PtxFlow, AChoiceThatIsKnownIsNone) {
  const Program program =
      ptx_program(kernel_of("setp.lt.s32 %p, %c, 8;\n@%p bra E;\nmul.lo.u32 %v, %v, 3;\n"));
  for (const std::string& text : program.texts) {
    EXPECT_EQ(text.find("XMAD"), std::string::npos);
    EXPECT_EQ(text.find("ISETP"), std::string::npos);
  }
}

}  // namespace ptx_goto_test
}  // namespace shflsim::isa
