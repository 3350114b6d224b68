// SPDX-License-Identifier: Apache-2.0
// Optimised lowering of PTX compared with lowering statement by statement.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <regex>

#include "isa/base/input_error.h"
#include "isa/dialects/schedule.h"
#include "isa/dialects/write_text.h"
#include "tests/isa/ptx/random_program.h"
#include "tests/isa/ptx/support.h"

namespace shflsim::isa {
namespace ptx_optimise_test {

uint32_t programs() {
  const char* count = std::getenv("SHFLSIM_PTX_PROGRAMS");
  return count == nullptr ? 150 : static_cast<uint32_t>(std::atoi(count));
}

std::vector<uint32_t> run_warp(const Program& program, uint32_t only = kLanes) {
  std::vector<uint32_t> in = hashed_words(12 * 32);
  in[kOnlyWord] = only;
  Witness witness;
  return run_kernel(program, 1, 32, in, 32, &witness);
}

/// Runs SHFLSIM_PTX_PROGRAMS programs (CONTRIBUTING).
TEST(PtxOptimise, RandomProgramsComputeWhatTheyComputePlain) {
  size_t plain_lines = 0;
  size_t lines = 0;
  uint32_t refused = 0;
  for (uint32_t seed = 1; seed <= programs(); ++seed) {
    const std::string text = random_ptx(seed);
    // A few programs leave loops in ways that no tokens can join.
    if (ptx_error(text).find("expected branches that nest") != std::string::npos) {
      ++refused;
      continue;
    }
    const Program plain = ptx_program(text, "", Lowering::kPlain);
    const Program optimised = ptx_program(text);
    ASSERT_EQ(run_warp(plain), run_warp(optimised)) << "seed " << seed << "\n" << text;
    plain_lines += plain.code.size();
    lines += optimised.code.size();
  }
  EXPECT_LT(lines * 10, plain_lines * 9);
  EXPECT_LE(refused, programs() / 1000);
}

/// Threads that diverge and join compute what each thread computes alone.
TEST(PtxControlFlow, RandomProgramsComputeInAWarpWhatEachThreadComputesAlone) {
  for (uint32_t seed = 1; seed <= programs() / 5; ++seed) {
    const std::string text = random_ptx(seed, false);
    const Program program = ptx_program(text);
    const std::vector<uint32_t> together = run_warp(program);
    for (uint32_t thread = 0; thread < kLanes; thread += 3) {
      ASSERT_EQ(run_warp(program, thread)[thread], together[thread]) << "seed " << seed << "\n"
                                                                     << text;
    }
  }
}

std::string kernel_of(const std::string& body) {
  return ".version 8.0\n.target sm_50\n.address_size 64\n.visible .entry k(.param .u64 a, .param "
         ".u32 "
         "n)\n{\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n.reg .b64 %d<9>;\n.reg .pred %p<9>;\n"
         "ld.param.u64 %d0, [a];\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %d1, %r0, 4;\n"
         "add.s64 %d2, %d0, %d1;\nld.global.u32 %r1, [%d2];\n" +
         body + "st.global.u32 [%d2], %r2;\nret;\n}\n";
}

struct Joined {
  const char* body;
  const char* text;  ///< an instruction of the lowered code, without register numbers and marks
};

std::string without_numbers(const std::string& text) {
  static const std::regex kRegister("\\b([RP])[0-9]+(\\.reuse)?");
  return std::regex_replace(text, kRegister, "$1");
}

class PtxJoined : public testing::TestWithParam<Joined> {};

TEST_P(PtxJoined, IsOneInstruction) {
  std::vector<std::string> texts;
  for (const std::string& text : ptx_program(kernel_of(GetParam().body)).texts) {
    texts.push_back(without_numbers(text));
  }
  EXPECT_THAT(texts, testing::Contains(GetParam().text));
}

constexpr Joined kJoined[] = {
    {"shl.b32 %r2, %r1, 3;\nadd.s32 %r2, %r2, %r0;\n", "ISCADD R, R, R, 0x3"},
    {"and.b32 %r3, %r1, %r0;\nmul.lo.s32 %r4, %r1, 5;\nxor.b32 %r2, %r3, %r4;\n",
     "LOP3.LUT R, R, R, R, 0x6a"},
    {"and.b32 %r3, %r1, %r0;\nxor.b32 %r2, %r3, %r1;\n", "LOP.AND R, R, ~R"},
    {"not.b32 %r3, %r1;\nmul.lo.s32 %r4, %r1, 5;\nand.b32 %r3, %r3, %r0;\nand.b32 %r5, %r1, %r4;"
     "\nxor.b32 %r2, %r3, %r5;\n",
     "LOP3.LUT R, R, R, R, 0xca"},
    {"add.s32 %r3, %r1, %r0;\nmul.lo.s32 %r4, %r1, 5;\nsub.s32 %r2, %r4, %r3;\n",
     "IADD3 R, -R, -R, R"},
    {"add.s32 %r3, %r1, 7;\nadd.s32 %r2, %r3, %r0;\n", "IADD3 R, R, 0x7, R"},
    {"setp.lt.s32 %p1, %r1, 5;\nsetp.gt.u32 %p2, %r1, %r0;\nand.pred %p3, %p1, %p2;\n"
     "selp.b32 %r2, %r0, %r1, %p3;\n",
     "ISETP.LT.AND P, PT, R, 0x5, P"},
    {"mov.b32 %f1, %r1;\nsetp.lt.f32 %p1, %f1, 0f40000000;\nnot.pred %p2, %p1;\n"
     "setp.gt.u32 %p3, %r1, %r0;\nor.pred %p4, %p3, %p2;\nselp.b32 %r2, %r0, %r1, %p4;\n",
     "ISETP.GT.U32.OR P, PT, R, R, !P"},
    {"setp.lt.s32 %p1, %r1, %r0;\nselp.b32 %r2, 1, 0, %p1;\n", "SEL R, RZ, 0x1, !P"},
    {"mov.b32 %f1, %r1;\nabs.f32 %f2, %f1;\nneg.f32 %f3, %f2;\nadd.f32 %f4, %f3, %f1;\n"
     "mov.b32 %r2, %f4;\n",
     "FADD R, -|R|, R"},
    {"and.b32 %r3, %r1, 8;\nsetp.ne.s32 %p1, %r3, 0;\nselp.b32 %r2, %r0, %r1, %p1;\n",
     "LOP.AND.NZ P, RZ, R, 0x8"},
    {"and.b32 %r3, %r1, 8;\nsetp.eq.s32 %p1, %r3, 8;\nselp.b32 %r2, %r0, %r1, %p1;\n",
     "LOP.AND.NZ P, RZ, R, 0x8"},
    {"setp.lt.s32 %p1, %r0, 5;\nmin.s32 %r3, %r0, %r1;\nmax.s32 %r4, %r0, %r1;\n"
     "selp.b32 %r2, %r3, %r4, %p1;\n",
     "IMNMX R, R, R, P"},
    {"mov.b32 %f1, %r1;\nmul.f32 %f2, %f1, 0f3D800000;\nmov.b32 %r2, %f2;\n", "FMUL R, R, 0.0625"},
    {"mul.lo.s32 %r2, %r1, 5;\n", "XMAD.PSL R, R.H1, 0x5, R"},
    {"atom.global.add.u32 %r3, [%d2], 1;\nmov.u32 %r2, 1;\n", "RED.E.ADD [R], R"},
    {"add.s64 %d3, %d2, 400;\nld.global.u32 %r2, [%d3];\n", "LDG.E R, [R+0x190]"},
    {"setp.lt.s32 %p1, %r0, 5;\nmov.u32 %r2, %r1;\n@%p1 bra L;\nadd.s32 %r2, %r1, %r0;\nL:\n",
     "@!P IADD R, R, R"},
    {"setp.lt.s32 %p1, %r1, 5;\n@%p1 bra A;\nadd.s32 %r2, %r1, 1;\nbra.uni B;\nA:\n"
     "sub.s32 %r2, %r1, 3;\nB:\n",
     "@P IADD R, R, -0x3"},
    {"setp.lt.s32 %p1, %r1, 5;\nmov.u32 %r2, %r1;\n@%p1 bra A;\nsetp.lt.s32 %p2, %r0, 7;\n"
     "@%p2 bra B;\nadd.s32 %r2, %r1, 1;\nbra.uni A;\nB:\nsub.s32 %r2, %r1, 3;\nA:\n",
     "ISETP.LT.AND P, P, R, 0x7, !P"},
};
INSTANTIATE_TEST_SUITE_P(Ptx, PtxJoined, testing::ValuesIn(kJoined));

TEST(PtxOptimise, AnOffsetThatAnAtomicHasNoRoomForIsAdded) {
  const Program program =
      ptx_program(kernel_of("add.s64 %d3, %d2, 600000;\natom.global.add.u32 %r2, [%d3], %r1;\n"));
  EXPECT_THAT(program.texts, testing::Contains(testing::HasSubstr("IADD32I")));
  EXPECT_THAT(program.texts,
              testing::Contains(testing::MatchesRegex("ATOM.E.ADD R.+, .R.+., R.+")));
}

/// The number of instructions in a kernel's only loop that begin with `stem`.
size_t in_loop(const Program& program, const std::string& stem) {
  const auto begins = [&](const std::string& text) { return text.rfind(stem, 0) == 0; };
  for (size_t i = 0; i < program.code.size(); ++i) {
    for (const Operand& operand : program.code[i].operands) {
      if (!operand.is(Operand::Kind::kTarget)) continue;
      const int head = program.index_at(operand.value);
      if (head > static_cast<int>(i)) continue;
      return static_cast<size_t>(
          std::count_if(&program.texts[static_cast<size_t>(head)], &program.texts[i], begins));
    }
  }
  ADD_FAILURE() << "no loop in " << program.name;
  return 0;
}

/// A kernel with a loop of n rounds of `work`.
std::string loop_of(const std::string& work) {
  return kernel_of("mov.u32 %r2, 0;\nld.param.u32 %r8, [n];\nL:\n" + work +
                   "sub.s32 %r8, %r8, 1;\nsetp.gt.s32 %p1, %r8, 0;\n@%p1 bra L;\n");
}

TEST(PtxLoops, WhatEachRoundComputesAlikeIsComputedInFrontOfIt) {
  const Program program = ptx_program(
      loop_of("mul.lo.u32 %r3, %r1, %r0;\nxor.b32 %r4, %r3, 5;\nadd.u32 %r2, %r2, %r4;\n"));
  EXPECT_EQ(in_loop(program, "XMAD"), 0u);
  EXPECT_EQ(in_loop(program, "LOP"), 0u);
}

TEST(PtxLoops, WhatARoundChangesStaysInIt) {
  const Program program = ptx_program(
      loop_of("mul.lo.u32 %r3, %r1, %r8;\nxor.b32 %r4, %r3, 5;\nadd.u32 %r2, %r2, %r4;\n"));
  EXPECT_GT(in_loop(program, "XMAD"), 0u);
  EXPECT_EQ(in_loop(program, "LOP"), 1u);
}

/// Programs in which one half of a pair is written while the other half stays live: in an enclosing
/// loop, and where a copy of the pair leaves only one half to write.
TEST(PtxLiveness, OneHalfOfAPairHoldsWhereTheOtherIsWritten) {
  for (const uint32_t seed : {653u, 9668u}) {
    const std::string text = random_ptx(seed);
    EXPECT_EQ(run_warp(ptx_program(text, "", Lowering::kPlain)), run_warp(ptx_program(text)))
        << "seed " << seed;
  }
}

TEST(PtxLoops, WhatWouldNotFitIntoRegistersStaysInThem) {
  std::string work;
  for (unsigned i = 1; i <= 300; ++i) {
    work += "xor.b32 %r3, %r1, " + std::to_string(i) + ";\nmad.lo.u32 %r2, %r2, 7, %r3;\n";
  }
  const Program program = ptx_program(loop_of(work));
  EXPECT_EQ(program.local_bytes, 0u);
  EXPECT_EQ(in_loop(program, "LOP"), 300u);
}

TEST(PtxControlFlow, ThreadsThatStayInALoopJoinWhileOthersLeaveIt) {
  const Program program = ptx_program(
      kernel_of("mov.u32 %r2, 0;\nL:\nsetp.lt.s32 %p1, %r1, %r2;\n@%p1 bra M;\n"
                "st.global.u32 [%d2], %r1;\nsetp.eq.s32 %p2, %r2, %r0;\n@%p2 bra E;\nM:\n"
                "add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p3, %r2, 32;\n@%p3 bra L;\nE:\n"));
  EXPECT_THAT(program.texts, testing::Contains(testing::StartsWith("PBK")));
  EXPECT_THAT(program.texts, testing::Contains(testing::HasSubstr("BRK")));
  EXPECT_THAT(program.texts, testing::Contains(testing::StartsWith("SSY")));
}

std::vector<std::string> control_of(const Program& program) {
  std::vector<std::string> texts;
  for (const std::string& text : program.texts) {
    static const std::regex kControl("(@!?P[0-9] )?(SSY|SYNC|PBK|BRK|BRA)\\b.*");
    std::smatch parts;
    if (std::regex_match(text, parts, kControl)) texts.push_back(parts[2]);
  }
  return texts;
}

TEST(PtxControlFlow, ThreadsLeaveTwoLoopsByOneBreakWhileOthersJoinBehindTheInnerOne) {
  const Program program =
      ptx_program(kernel_of("mov.u32 %r2, 0;\nmov.u32 %r3, 0;\nL:\nmov.u32 %r4, 0;\nM:\n"
                            "mad.lo.u32 %r2, %r2, 7, %r1;\nsetp.eq.s32 %p1, %r2, 3;\n@%p1 bra E;\n"
                            "add.s32 %r4, %r4, 1;\nsetp.lt.s32 %p2, %r4, %r1;\n@%p2 bra M;\n"
                            "add.s32 %r3, %r3, 1;\nsetp.lt.s32 %p3, %r3, %r0;\n@%p3 bra L;\nE:\n"));
  EXPECT_THAT(control_of(program),
              testing::ElementsAre("PBK", "SSY", "BRK", "BRA", "SYNC", "BRA", "BRK"));
}

TEST(PtxControlFlow, NoneJoinWhereAllThreadsOfAWarpDecideAlike) {
  const auto control = [](const std::string& number) {
    return control_of(ptx_program(kernel_of("mov.u32 %r2, " + number +
                                            ";\nadd.s32 %r3, %r2, 3;\n"
                                            "setp.lt.s32 %p1, %r3, 5;\n@%p1 bra A;\n"
                                            "bar.sync 0;\nA:\n")));
  };
  EXPECT_THAT(control("%ctaid.x"), testing::ElementsAre("BRA"));
  EXPECT_THAT(control("%laneid"), testing::ElementsAre("SSY", "SYNC", "SYNC"));
}

TEST(PtxControlFlow, WhatAPartOfTheThreadsHasWrittenIsNotAlikeForAllBehindIt) {
  const Program program = ptx_program(
      kernel_of("mov.u32 %r2, 1;\nsetp.lt.s32 %p1, %r0, 5;\n@%p1 bra A;\nbar.sync 0;\n"
                "mov.u32 %r2, 2;\nA:\nsetp.eq.s32 %p2, %r2, 1;\n@%p2 bra B;\nbar.sync 0;\n"
                "B:\n"));
  EXPECT_THAT(control_of(program),
              testing::ElementsAre("SSY", "SYNC", "SYNC", "SSY", "SYNC", "SYNC"));
}

TEST(PtxRegisters, OfALoadsAddressAreNotTakenForTheNextResult) {
  Program program = ptx_program(
      kernel_of("add.s32 %r3, %r0, 1;\nxor.b32 %r4, %r3, %r0;\nand.b32 %r5, %r4, 60;\n"
                "cvt.u64.u32 %d3, %r5;\nadd.s64 %d4, %d0, %d3;\nld.global.u32 %r6, [%d4];\n"
                "add.s32 %r2, %r6, %r1;\n"));
  choose_control(&program);
  for (const Instruction& each : program.code) {
    EXPECT_EQ(each.control.read_barrier, Control::kNoScoreboard);
  }
}

TEST(PtxOrigin, AListingHasTheLineOfPtxBehindEachInstructionAndReadsBack) {
  Program program = ptx_program(random_ptx(3));
  ASSERT_EQ(program.origins.size(), program.code.size());
  for (const Program::Origin& origin : program.origins) EXPECT_GT(origin.line, 4u);
  pad_bundles(&program);
  const Writer& nvdisasm = writers().front();
  ASSERT_STREQ(nvdisasm.name, "nvdisasm");
  const SourceText listing{"t.sass", nvdisasm.write({program})};
  EXPECT_NE(listing.text.find("  // 16: mov.u32 %t, %tid.x\n"), std::string::npos);
  EXPECT_NE(listing.text.find(": st.global.u32 [%to], %v\n"), std::string::npos);
  const Program read = find_kernel(*Dialects::named("listing").open(listing), "k", listing.file);
  EXPECT_EQ(read.texts, program.texts);
}

}  // namespace ptx_optimise_test
}  // namespace shflsim::isa
