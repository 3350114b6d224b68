// SPDX-License-Identifier: Apache-2.0
// PTX that needs the driver, special registers, and barriers that reduce.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <numeric>

#include "isa/base/launch_error.h"
#include "isa/machine/variables.h"
#include "tests/isa/ptx/support.h"

namespace shflsim::isa {
namespace ptx_driver_test {

/// A module with a kernel that stores out[t] = %r2; its body has %r0 = t.
std::string module_of(const std::string& outside, const std::string& body) {
  return ".version 8.0\n.target sm_50\n.address_size 64\n" + outside +
         ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)\n{\n.reg .b32 %r<20>;\n"
         ".reg .b64 %d<20>;\n.reg .f32 %f<5>;\n.reg .b16 %h<5>;\n.reg .pred %p<9>;\nld.param.u64 "
         "%d2, [out];\n"
         "mov.u32 %r0, %tid.x;\nmul.wide.u32 %d3, %r0, 4;\nadd.s64 %d2, %d2, %d3;\n"
         "mov.u32 %r2, 0;\n" +
         body + "st.global.u32 [%d2], %r2;\nret;\n}\n";
}

std::vector<uint32_t> words_of(const std::string& text, uint32_t threads = kLanes) {
  std::vector<uint32_t> words;
  for (const Lowering lowering : {Lowering::kPlain, Lowering::kOptimised}) {
    Witness witness;
    const std::vector<uint32_t> out = run_kernel(ptx_program(text, "", lowering), 1, threads,
                                                 hashed_words(threads), threads, &witness);
    EXPECT_TRUE(words.empty() || words == out);
    words = out;
  }
  return words;
}

/// %r2 is written twice: with a number, and by the barrier.
TEST(PtxBarriers, ThatReduceWriteTheirResultAlsoWhereItWasANumber) {
  for (const char* const count :
       {"bar.red.popc.u32 %r2, 0, %p1;\n", "bar.red.popc.u32 %r2, 1, 32, %p1;\n",
        "barrier.red.popc.u32 %r2, 1, %p1;\n", "barrier.cta.red.popc.aligned.u32 %r2, 0, %p1;\n"}) {
    EXPECT_EQ(words_of(module_of("", "setp.lt.u32 %p1, %r0, 7;\n" + std::string(count))),
              std::vector<uint32_t>(kLanes, 7))
        << count;
  }
}

TEST(PtxSpecialRegisters, SayWhichWarpAndSmItIs) {
  const std::vector<uint32_t> warps = words_of(module_of("", "mov.u32 %r2, %warpid;\n"), 64);
  EXPECT_EQ(warps[0], 0u);
  EXPECT_EQ(warps[63], 1u);
  EXPECT_EQ(words_of(module_of("", "mov.u32 %r2, %smid;\n")), std::vector<uint32_t>(kLanes, 0));
}

TEST(PtxSpecialRegisters, AreReadInHalvesAndAsVectors) {
  std::vector<uint32_t> threads(kLanes);
  std::iota(threads.begin(), threads.end(), 0);
  for (const char* const body :
       {"mov.u16 %h1, %tid.x;\ncvt.u32.u16 %r2, %h1;\n", "cvt.u32.u16 %r2, %tid.x;\n",
        "mov.v4.u32 {%r2, %r3, %r4, %r5}, %tid;\nadd.u32 %r2, %r2, %r5;\n"})
    EXPECT_EQ(words_of(module_of("", body)), threads) << body;
  EXPECT_EQ(words_of(module_of("",
                               "mov.v4.u32 {%r3, %r4, %r5, %r6}, %ntid;\n"
                               "mad.lo.u32 %r2, %r3, 10, %r5;\n")),
            std::vector<uint32_t>(kLanes, 321));
}

TEST(PtxSpecialRegisters, HaveTheLimitsOfAnSmAndTheSharedMemoryOfABlock) {
  EXPECT_EQ(words_of(module_of("", "mov.u32 %r2, %nwarpid;\n")).front(), 64u);
  EXPECT_EQ(words_of(module_of("",
                               ".shared .b8 some[300];\nmov.u32 %r3, some;\n"
                               "st.shared.u32 [%r3], %r3;\nmov.u32 %r2, %total_smem_size;\n"))
                .front(),
            512u);
}

TEST(PtxKernels, RunInBlocksOfAsManyThreadsAsTheyAllow) {
  const auto bounded = [](const std::string& bound) {
    std::string text = module_of("", "mov.u32 %r2, 7;\n");
    return text.insert(text.find(')') + 1, " " + bound);
  };
  EXPECT_EQ(words_of(bounded(".maxntid 32, 1, 1")).front(), 7u);
  EXPECT_EQ(words_of(bounded(".reqntid 4, 8")).front(), 7u);
  try {
    words_of(bounded(".maxntid 4, 4 .minnctapersm 2"));
    FAIL() << "ran all the same";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("in blocks of 32 threads; expected 16 at most"));
  }
}

TEST(PtxSpecialRegisters, ThatAreNotModelledAreRefusedByName) {
  for (const char* const name : {"%nsmid", "%envreg3", "%cluster_ctarank", "%pm0"}) {
    EXPECT_THAT(
        ptx_error(module_of("", "mov.u32 %r2, " + std::string(name) + ";\n")),
        testing::HasSubstr("the special register '" + std::string(name) + "' is not supported"));
  }
}

TEST(PtxConversions, ToBytesAndWithSaturationAreHeldToTheirRange) {
  const auto one = [](const std::string& body) { return words_of(module_of("", body)).front(); };
  EXPECT_EQ(one("mov.f32 %f1, 0f43FA0000;\ncvt.rzi.u8.f32 %h1, %f1;\ncvt.u32.u16 %r2, %h1;\n"),
            255u);  // 500
  EXPECT_EQ(one("mov.f32 %f1, 0fC3FA0000;\ncvt.rni.s8.f32 %h1, %f1;\ncvt.s32.s16 %r2, %h1;\n"),
            0xFFFFFF80u);
  EXPECT_EQ(one("mov.u32 %r3, 7;\ncvt.rn.sat.f32.u32 %f1, %r3;\nmov.b32 %r2, %f1;\n"), 0x3F800000u);
  EXPECT_EQ(one("mov.s32 %r3, -7;\ncvt.rn.sat.f16.s32 %h1, %r3;\ncvt.u32.u16 %r2, %h1;\n"), 0u);
  EXPECT_EQ(one("mov.f32 %f1, 0f3F000000;\ncvt.rn.sat.f16.f32 %h1, %f1;\ncvt.u32.u16 %r2, %h1;\n"),
            0x3800u);
}

TEST(PtxAliases, StandForTheirFunctions) {
  const std::string functions =
      ".func (.param .b32 r) f()\n{\nst.param.b32 [r], 5;\nret;\n}\n"
      ".func (.param .b32 r) g();\n.alias g, f;\n";
  EXPECT_EQ(words_of(module_of(functions,
                               "{\n.param .b32 rv;\ncall (rv), g;\n"
                               "ld.param.b32 %r2, [rv];\n}\n")),
            std::vector<uint32_t>(kLanes, 5));
}

TEST(PtxDirectives, OutsideOfFunctionsThatAreNotUnderstoodAreFaults) {
  EXPECT_EQ(ptx_error(module_of(".nonsense 5;\n", "")),
            "t.ptx:4:1: the directive '.nonsense' is not supported here; expected a variable or a "
            "function");
}

const char* const kFormat =
    ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
    ".global .align 1 .b8 form[8] = {37, 100, 32, 37, 120, 10, 0, 0};\n";  // "%d %x\n"

/// Executes three threads of a kernel with variables; returns the result words as bytes.
std::vector<uint8_t> execute_three(const std::string& text, Lowering lowering,
                                   std::string* printed) {
  const Program program = ptx_program(text, "", lowering);
  Launch launch;
  DeviceMemory memory;
  VariablePlaces places;
  place_variables(program, memory, &places);
  use_variables(program, places, &launch);
  launch.block = {3, 1, 1};
  const uint64_t out = memory.allocate(std::vector<uint8_t>(12));
  launch.parameters.resize(20);
  std::memcpy(launch.parameters.data() + 8, &out, sizeof out);
  MachineOptions options;
  options.print = [printed](const std::string& words) { *printed += words; };
  Witness witness;
  execute(program, launch, memory, witness, options);
  return memory.bytes(out);
}

constexpr std::array<Lowering, 2> kLowerings = {Lowering::kPlain, Lowering::kOptimised};

TEST(PtxDriver, PrintsByThread) {
  const std::string text = module_of(
      kFormat,
      ".local .align 8 .b8 depot[8];\nmov.u64 %d4, depot;\nst.local.u32 [depot], %r0;\n"
      "st.local.u32 [depot+4], 255;\ncvta.local.u64 %d4, %d4;\nmov.u64 %d5, form;\n"
      "cvta.global.u64 %d5, %d5;\n{\n.param .b64 p0;\n.param .b64 p1;\n.param .b32 rv;\n"
      "st.param.b64 [p0], %d5;\nst.param.b64 [p1], %d4;\ncall.uni (rv), vprintf, (p0, p1);\n"
      "ld.param.b32 %r2, [rv];\n}\n");
  for (const Lowering lowering : kLowerings) {
    std::string printed;
    const std::vector<uint8_t> counts = execute_three(text, lowering, &printed);
    EXPECT_EQ(printed, "0 ff\n1 ff\n2 ff\n");
    EXPECT_EQ(counts, (std::vector<uint8_t>{2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0}));
  }
}

TEST(PtxDriver, NamesTheAssertionThatFails) {
  const std::string text = module_of(
      ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, "
      ".param .b64 e);\n"
      ".global .align 1 .b8 what[6] = {120, 32, 62, 32, 49, 0};\n"  // "x > 1"
      ".global .align 1 .b8 file[5] = {107, 46, 99, 117, 0};\n"     // "k.cu"
      ".global .align 1 .b8 name[2] = {107, 0};\n",                 // "k"
      "setp.gt.u32 %p1, %r0, 1;\n@%p1 bra past;\n{\n.param .b64 a;\n.param .b64 b;\n"
      ".param .b32 c;\n.param .b64 d;\n.param .b64 e;\nmov.u64 %d4, what;\n"
      "cvta.global.u64 %d4, %d4;\nst.param.b64 [a], %d4;\nmov.u64 %d4, file;\n"
      "cvta.global.u64 %d4, %d4;\nst.param.b64 [b], %d4;\nst.param.b32 [c], 7;\n"
      "mov.u64 %d4, name;\ncvta.global.u64 %d4, %d4;\nst.param.b64 [d], %d4;\n"
      "st.param.b64 [e], 1;\ncall.uni __assertfail, (a, b, c, d, e);\n}\npast:\n");
  for (const Lowering lowering : kLowerings) {
    std::string printed;
    try {
      execute_three(text, lowering, &printed);
      FAIL();
    } catch (const LaunchError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("lane 0: k.cu:7: k: assertion `x > 1` failed"));
    }
  }
}

TEST(PtxDriver, AllocatesAndFrees) {
  const std::string outside =
      ".extern .func (.param .b64 r) malloc(.param .b64 a);\n.extern .func free(.param .b64 a);\n";
  const std::string body =
      "{\n.param .b64 a;\n.param .b64 rv;\nst.param.b64 [a], 64;\ncall.uni (rv), malloc, (a);\n"
      "ld.param.b64 %d5, [rv];\n}\nadd.u32 %r4, %r0, 9;\nst.u32 [%d5+60], %r4;\n"
      "ld.u32 %r2, [%d5+60];\n{\n.param .b64 a;\nst.param.b64 [a], %d5;\ncall.uni free, (a);\n}\n";
  std::vector<uint32_t> expected(kLanes);
  std::iota(expected.begin(), expected.end(), 9);
  EXPECT_EQ(words_of(module_of(outside, body)), expected);
}

}  // namespace ptx_driver_test
}  // namespace shflsim::isa
