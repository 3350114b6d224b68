// SPDX-License-Identifier: Apache-2.0
// How calls pass arguments and results, and what they preserve.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/isa/ptx/support.h"

namespace shflsim::isa {
namespace ptx_convention_test {

/// A module with a kernel that stores out[t] = %r2; its body has %r0 = t, %r1 = in[t], %d9 = &f.
std::string module_of(const std::string& function, const std::string& body) {
  return ".version 8.0\n.target sm_50\n.address_size 64\n" + function +
         ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)\n{\n.reg .b32 %r<60>;\n"
         ".reg .b64 %d<60>;\n.reg .b16 %h<9>;\nld.param.u64 %d1, [in];\n"
         "ld.param.u64 %d2, [out];\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %d3, %r0, 4;\n"
         "add.s64 %d1, %d1, %d3;\nadd.s64 %d2, %d2, %d3;\nld.global.u32 %r1, [%d1];\n"
         "mov.u64 %d9, f;\n" +
         body + "st.global.u32 [%d2], %r2;\nret;\n}\n";
}

std::string function_of(const std::string& results, const std::string& parameters,
                        const std::string& body) {
  return ".func (" + results + ") f(" + parameters +
         ")\n{\n.reg .b32 %r<60>;\n.reg .b64 %d<60>;\n.reg .b16 %h<9>;\n" + body + "ret;\n}\n";
}

std::vector<uint32_t> of_inputs(uint32_t (*f)(uint32_t)) {
  const std::vector<uint32_t> in = hashed_words(kLanes);
  return by_lane([&](uint32_t lane) { return f(in[lane]); });
}

const std::string kCall = "call (back), %d9, (there), p;\n";
const std::string kPrototype = "p : .callprototype (.param .b32 _) _ (.param .align 4 .b8 _[8]);\n";

TEST(PtxConvention, OneWordGoesThereAndBackInARegister) {
  const std::string text = module_of(
      function_of(".param .b32 r", ".param .b32 a",
                  "ld.param.u32 %r1, [a];\nadd.u32 %r1, %r1, 5;\nst.param.b32 [r], %r1;\n"),
      "{\n.param .b32 there;\n.param .b32 back;\nst.param.b32 [there], %r1;\n"
      "p : .callprototype (.param .b32 _) _ (.param .b32 _);\n" +
          kCall + "ld.param.b32 %r2, [back];\n}\n");
  EXPECT_EQ(words_of(text), of_inputs([](uint32_t x) { return x + 5; }));
  EXPECT_THAT(ptx_program(text).texts, testing::Contains("IADD R4, R4, 0x5"));
  EXPECT_THAT(ptx_program(text).texts,
              testing::Not(testing::Contains(testing::ContainsRegex("LDL|STL"))));
}

TEST(PtxConvention, BytesShareARegister) {
  EXPECT_EQ(
      words_of(module_of(
          function_of(
              ".param .b32 r", ".param .align 4 .b8 a[8]",
              "ld.param.u8 %h1, [a+1];\nld.param.s16 %h2, [a+2];\nld.param.u32 %r1, [a+4];\n"
              "cvt.u32.u16 %r2, %h1;\ncvt.s32.s16 %r3, %h2;\nmad.lo.u32 %r1, %r1, %r2, "
              "%r3;\nst.param.b32 [r], %r1;\n"),
          "cvt.u16.u32 %h1, %r1;\nshr.u32 %r3, %r1, 16;\ncvt.u16.u32 %h2, %r3;\n"
          "{\n.param .align 4 .b8 there[8];\n.param .b32 back;\nst.param.b8 [there], %h2;\n"
          "st.param.b8 [there+1], %h1;\nst.param.b16 [there+2], %h2;\nst.param.b32 [there+4], "
          "%r1;\n" +
              kPrototype + kCall + "ld.param.b32 %r2, [back];\n}\n")),
      of_inputs([](uint32_t x) {
        return x * (x & 0xff) + static_cast<uint32_t>(int32_t{static_cast<int16_t>(x >> 16)});
      }));
}

TEST(PtxConvention, ResultsOfLessThanAWordAreTakenApart) {
  EXPECT_EQ(words_of(module_of(
                function_of(".param .align 2 .b8 r[4]", ".param .b32 a",
                            "ld.param.u32 %r1, [a];\ncvt.u16.u32 %h1, %r1;\nadd.u16 %h2, %h1, 3;\n"
                            "st.param.b16 [r], %h1;\nst.param.b16 [r+2], %h2;\n"),
                "{\n.param .b32 there;\n.param .align 2 .b8 back[4];\nst.param.b32 [there], %r1;\n"
                "p : .callprototype (.param .align 2 .b8 _[4]) _ (.param .b32 _);\n" +
                    kCall +
                    "ld.param.b16 %h1, [back];\nld.param.b16 %h2, [back+2];\n}\n"
                    "mov.b32 %r2, {%h2, %h1};\n")),
            of_inputs([](uint32_t x) { return x << 16 | ((x + 3) & 0xffff); }));
}

TEST(PtxConvention, AddressesOfArgumentsCanBeTaken) {
  EXPECT_EQ(
      words_of(module_of(
          function_of(".param .b32 r", ".param .align 4 .b8 a[8]",
                      "mov.u64 %d1, a;\nld.param.u32 %r3, [a+4];\nand.b32 %r4, %r3, 4;\n"
                      "cvt.u64.u32 %d2, %r4;\nadd.s64 %d1, %d1, %d2;\nld.local.u32 %r2, [%d1];\n"
                      "st.param.b32 [r], %r2;\n"),
          "{\n.param .align 4 .b8 there[8];\n.param .b32 back;\nst.param.b32 [there], 77;\n"
          "st.param.b32 [there+4], %r1;\n" +
              kPrototype + kCall + "ld.param.b32 %r2, [back];\n}\n")),
      of_inputs([](uint32_t x) { return (x & 4) != 0 ? x : 77; }));
}

TEST(PtxConvention, WhatDoesNotFitStandsOnTheStack) {
  const std::string function = function_of(
      ".param .align 8 .b8 r[56]", ".param .align 8 .b8 a[40], .param .b64 b, .param .b64 c",
      "ld.param.u64 %d1, [a+32];\nld.param.u64 %d2, [b];\nld.param.u64 %d3, [c];\n"
      "sub.s64 %d1, %d1, %d2;\nadd.s64 %d1, %d1, %d3;\nst.param.b64 [r+48], %d1;\n"
      "st.param.b64 [r], %d3;\n");
  const std::string call =
      "cvt.u64.u32 %d4, %r1;\nshl.b64 %d5, %d4, 7;\nadd.s64 %d6, %d5, 9;\n"
      "{\n.param .align 8 .b8 a[40];\n.param .b64 b;\n.param .b64 c;\n"
      ".param .align 8 .b8 r[56];\nst.param.b64 [a+32], %d5;\nst.param.b64 [b], %d4;\n"
      "st.param.b64 [c], %d6;\n"
      "p : .callprototype (.param .align 8 .b8 _[56]) _ (.param .align 8 .b8 _[40], .param .b64 "
      "_, .param .b64 _);\ncall (r), %d9, (a, b, c), p;\nld.param.b64 %d7, [r+48];\n"
      "ld.param.b64 %d8, [r];\n}\nxor.b64 %d7, %d7, %d8;\ncvt.u32.u64 %r2, %d7;\n";
  EXPECT_EQ(words_of(module_of(function, call)), of_inputs([](uint32_t x) {
              const uint64_t c = (uint64_t{x} << 7) + 9;
              return static_cast<uint32_t>(((uint64_t{x} << 7) - x + c) ^ c);
            }));
}

/// Caller and callee use more registers, also pairs, across a call than callees preserve.
TEST(PtxConvention, ManyRegistersOutlastACall) {
  std::string use;
  std::string mix = "mov.u32 %r2, 0;\n";
  for (int i = 10; i < 34; ++i) {
    const std::string at = std::to_string(i);
    use += "mad.lo.u32 %r" + at + ", %r1, " + at + ", " + std::to_string(i * i) + ";\n";
    use += "mul.wide.u32 %d" + at + ", %r" + at + ", %r1;\n";
    mix += "xor.b32 %r2, %r2, %r" + at + ";\ncvt.u32.u64 %r3, %d" + at +
           ";\nadd.u32 %r2, %r2, %r3;\nshr.u64 %d5, %d" + at +
           ", 32;\ncvt.u32.u64 %r3, %d5;\nadd.u32 %r2, %r2, %r3;\n";
  }
  const std::string call =
      "{\n.param .b32 there;\n.param .b32 back;\nst.param.b32 [there], %r4;\n"
      "call (back), f, (there);\nld.param.b32 %r5, [back];\n}\n";
  const std::string function =
      function_of(".param .b32 r", ".param .b32 a",
                  ".reg .pred %p;\nld.param.u32 %r1, [a];\nmov.u32 %r2, 1;\nand.b32 %r4, %r1, 3;\n"
                  "setp.eq.u32 %p, %r4, 0;\n@%p bra done;\nsub.u32 %r4, %r4, 1;\n" +
                      use + call + mix + "add.u32 %r2, %r2, %r5;\ndone:\nst.param.b32 [r], %r2;\n");
  EXPECT_EQ(words_of(module_of(
                function, "mov.u32 %r4, %r1;\n" + use + call + mix + "add.u32 %r2, %r2, %r5;\n")),
            of_inputs([](uint32_t x) {
              const auto mixed = [](uint32_t of) {
                uint32_t sum = 0;
                for (uint32_t i = 10; i < 34; ++i) {
                  const uint32_t word = of * i + i * i;
                  const uint64_t wide = uint64_t{word} * of;
                  sum ^= word;
                  sum += static_cast<uint32_t>(wide) + static_cast<uint32_t>(wide >> 32);
                }
                return sum;
              };
              uint32_t sum = 1;
              for (uint32_t depth = 1; depth <= (x & 3); ++depth) {
                sum += mixed(depth == (x & 3) ? x : depth);
              }
              return sum + mixed(x);
            }));
}

}  // namespace ptx_convention_test
}  // namespace shflsim::isa
