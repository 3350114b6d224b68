// SPDX-License-Identifier: Apache-2.0
// Calls that pass registers and numbers directly, and functions whose parameters are registers.
// ptxas 13.0 takes the same texts; on its code for sm_75 the results are the expected ones.
#include <gtest/gtest.h>

#include "tests/isa/ptx/support.h"

namespace shflsim::isa {
namespace ptx_direct_operands_test {

/// A kernel that stores out[t] = %r3; its body has %r0 = t and %r1 = in[t].
std::string module_of(const std::string& functions, const std::string& body) {
  return ".version 8.0\n.target sm_75\n.address_size 64\n" + functions +
         "\n.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)\n{\n.reg .b32 "
         "%r<9>;\n"
         ".reg .b64 %d<9>;\n.reg .pred %p<4>;\n.reg .f32 %f<4>;\nld.param.u64 %d1, [in];\n"
         "ld.param.u64 %d2, [out];\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %d3, %r0, 4;\n"
         "add.s64 %d1, %d1, %d3;\nadd.s64 %d2, %d2, %d3;\nld.global.u32 %r1, [%d1];\n" +
         body + "\nst.global.u32 [%d2], %r3;\nret;\n}\n";
}

constexpr const char* kDifference =
    ".func (.param .b32 z) f(.param .b32 a, .param .b32 b)\n{\n.reg .b32 x, y;\n"
    "ld.param.u32 x, [a];\nld.param.u32 y, [b];\nsub.u32 x, x, y;\nst.param.u32 [z], x;\nret;\n}\n";
constexpr const char* kDifferenceInRegisters =
    ".func (.reg .b32 z) f(.reg .b32 a, .reg .b32 b)\n{\nsub.u32 z, a, b;\nret;\n}\n";

struct DirectCase {
  const char* name;
  std::string functions;
  const char* body;
  uint32_t (*expected)(uint32_t in, uint32_t lane);
};

class DirectOperands : public testing::TestWithParam<DirectCase> {};

TEST_P(DirectOperands, ArePassedAsVariablesAre) {
  const std::vector<uint32_t> in = hashed_words(kLanes);
  EXPECT_EQ(words_of(module_of(GetParam().functions, GetParam().body)),
            by_lane([&](uint32_t lane) { return GetParam().expected(in[lane], lane); }));
}

uint32_t difference(uint32_t in, uint32_t lane) { return in - lane; }

const DirectCase kCases[] = {
    {"Registers", kDifference, "call (%r3), f, (%r1, %r0);", difference},
    {"Numbers", kDifference, "call.uni (%r3), f, (7, 1<<2);",
     [](uint32_t, uint32_t) { return 3u; }},
    {"ARegisterBesideAVariable", kDifference,
     "{\n.param .b32 p;\nst.param.b32 [p], %r1;\ncall (%r3), f, (p, %r0);\n}", difference},
    {"AVariableForTheResult", kDifference,
     "{\n.param .b32 p;\ncall (p), f, (%r1, %r0);\nld.param.b32 %r3, [p];\n}", difference},
    {"NobodyReadsTheResult", kDifference, "mov.u32 %r3, 4;\ncall (_), f, (%r1, %r0);",
     [](uint32_t, uint32_t) { return 4u; }},
    {"OneRegisterForAll", kDifference,
     "mov.u32 %r3, %r1;\ncall (%r3), f, (%r3, %r3);\ncall (%r3), f, (%r3, 3);",
     [](uint32_t, uint32_t) { return ~2u; }},
    {"UnderAGuard", kDifference,
     "setp.lt.u32 %p1, %r0, 9;\nmov.u32 %r3, 77;\n@!%p1 call (%r3), f, (%r1, %r0);",
     [](uint32_t in, uint32_t lane) { return lane < 9 ? 77 : in - lane; }},
    {"ByPointerAndPrototype", kDifference,
     "mov.u64 %d4, f;\nP: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);\n"
     "call (%r3), %d4, (%r1, %r0), P;",
     difference},
    {"ByPointerAndTargets", kDifference,
     "mov.u64 %d4, f;\nT: .calltargets f;\ncall (%r3), %d4, (%r1, %r0), T;", difference},
    {"AFloat",
     ".func (.param .f32 z) f(.param .f32 a)\n{\n.reg .f32 x;\nld.param.f32 x, [a];\n"
     "add.f32 x, x, x;\nst.param.f32 [z], x;\nret;\n}\n",
     "call (%f1), f, (1.5);\nmov.b32 %r3, %f1;", [](uint32_t, uint32_t) { return 0x40400000u; }},
    {"Pairs",
     ".func (.param .b64 z) f(.param .b64 a)\n{\n.reg .b64 x;\nld.param.b64 x, [a];\n"
     "not.b64 x, x;\nst.param.b64 [z], x;\nret;\n}\n",
     "mov.b64 %d4, {%r1, %r0};\ncall (%d4), f, (%d4);\nmov.b64 {%r4, %r3}, %d4;\n"
     "xor.b32 %r3, %r3, %r4;",
     [](uint32_t in, uint32_t lane) { return in ^ lane; }},
    {"ACallOfItself",
     ".func (.param .b32 z) f(.param .b32 a)\n{\n.reg .b32 x, y;\n.reg .pred p;\n"
     "ld.param.u32 x, [a];\nsetp.eq.u32 p, x, 0;\n@p bra E;\nsub.u32 y, x, 1;\n"
     "call (y), f, (y);\nadd.u32 x, x, y;\nE: st.param.u32 [z], x;\nret;\n}\n",
     "and.b32 %r4, %r0, 7;\ncall (%r3), f, (%r4);",
     [](uint32_t, uint32_t lane) { return lane % 8 * (lane % 8 + 1) / 2; }},
    {"ParametersInRegisters", kDifferenceInRegisters, "call (%r3), f, (%r1, %r0);", difference},
    {"VariablesForParametersInRegisters", kDifferenceInRegisters,
     "{\n.param .b32 p, q, r;\nst.param.b32 [p], %r1;\nst.param.b32 [q], %r0;\n"
     "call (r), f, (p, q);\nld.param.b32 %r3, [r];\n}",
     difference},
    {"TwoResultsInRegisters",
     ".func (.reg .b32 z, .reg .b32 y) f(.reg .b32 a)\n{\nadd.u32 z, a, 5;\nadd.u32 y, a, 3;\n"
     "ret;\n}\n",
     "call (%r3, %r4), f, (%r1);\nsub.u32 %r3, %r3, %r4;", [](uint32_t, uint32_t) { return 2u; }},
    {"AnEarlyReturnOfRegisters",
     ".func (.reg .b32 z) f(.reg .b32 a)\n{\n.reg .pred p;\nsetp.lt.u32 p, a, 9;\n"
     "mov.u32 z, a;\n@p ret;\nmov.u32 z, 1;\n}\n",
     "call (%r3), f, (%r0);", [](uint32_t, uint32_t lane) { return lane < 9 ? lane : 1; }},
    {"ACallOfItselfInRegisters",
     ".func (.reg .b32 z) f(.reg .b32 a)\n{\n.reg .b32 x;\n.reg .pred p;\nmov.u32 z, 0;\n"
     "setp.eq.u32 p, a, 0;\n@p ret;\nsub.u32 x, a, 1;\ncall (x), f, (x);\nadd.u32 z, a, x;\nret;\n}"
     "\n",
     "and.b32 %r4, %r0, 7;\ncall (%r3), f, (%r4);",
     [](uint32_t, uint32_t lane) { return lane % 8 * (lane % 8 + 1) / 2; }},
    {"APrototypeOfRegisters", kDifferenceInRegisters,
     "mov.u64 %d4, f;\nP: .callprototype (.reg .b32 _) _ (.reg .b32 _, .reg .b32 _);\n"
     "call (%r3), %d4, (%r1, %r0), P;",
     difference},
};

INSTANTIATE_TEST_SUITE_P(Forms, DirectOperands, testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(PtxDirectOperands, AreRefusedWhereTheyDoNotFit) {
  const auto error_of = [](const char* body) { return ptx_error(module_of(kDifference, body)); };
  EXPECT_EQ(error_of("call (%r3), f, (%r1);"),
            "t.ptx:27:1: 'f' takes 2 arguments and gives 1 results");
  EXPECT_EQ(error_of("call (%r3), f, (%d1, 1);"),
            "t.ptx:27:17: '%d1' holds 64 bits; expected 32 bits or less");
  EXPECT_EQ(error_of("call (%r3), f, (%r1, %missing);"),
            "t.ptx:27:22: no register '%missing'; expected one that .reg declares, %tid.x, %laneid "
            "or their like");
  EXPECT_EQ(ptx_error(module_of(".func (.reg .pred z) f(.reg .pred a)\n{\nret;\n}\n", "")),
            "t.ptx:4:13: a predicate as a parameter; expected a type such as .u32");
  EXPECT_EQ(ptx_error(module_of(".func f(.param .b8 a[16])\n{\nret;\n}\n", "call f, (%r1);")),
            "t.ptx:22:10: an argument or a result of 16 bytes; expected a variable in .param");
}

}  // namespace ptx_direct_operands_test
}  // namespace shflsim::isa
