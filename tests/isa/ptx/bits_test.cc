// SPDX-License-Identifier: Apache-2.0
// Bits that are known when PTX is lowered: all shifts of pairs and all tables of LOP3.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/isa/ptx/support.h"

namespace shflsim::isa {
namespace ptx_bits_test {

std::vector<uint32_t> words_of(uint32_t factor) {
  return by_lane([factor](uint32_t lane) { return (lane + 3) * factor; });
}

uint32_t by_table(unsigned table, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t result = 0;
  for (unsigned bit = 0; bit < 32; ++bit) {
    const unsigned row = ((a >> bit) & 1u) * 4 + ((b >> bit) & 1u) * 2 + ((c >> bit) & 1u);
    result |= ((table >> row) & 1u) << bit;
  }
  return result;
}

class LogicOfThree : public testing::TestWithParam<int> {};

TEST_P(LogicOfThree, WithAnOperandOfZerosOrOnesIsOneInstructionAtMost) {
  const auto at = static_cast<size_t>(GetParam() / 2);
  const bool is_ones = GetParam() % 2 != 0;
  std::string operands[] = {"Ra", "Ra", "Ra"};
  operands[at] = is_ones ? "-1" : "0";
  operands[at == 2 ? 1 : 2] = "Rb";
  const std::vector<uint32_t> a = words_of(0x9E3779B1);
  const std::vector<uint32_t> b = words_of(0x85EBCA77);
  for (unsigned table = 0; table < 256; ++table) {
    Fragment fragment("lop3.b32 Rd, " + operands[0] + ", " + operands[1] + ", " + operands[2] +
                      ", " + std::to_string(table) + ";");
    fragment.set("Ra", a).set("Rb", b);
    const std::vector<uint32_t> found = fragment.run().words("Rd");
    for (size_t lane = 0; lane < kLanes; ++lane) {
      uint32_t values[] = {a[lane], a[lane], a[lane]};
      values[at] = is_ones ? ~0u : 0u;
      values[at == 2 ? 1 : 2] = b[lane];
      ASSERT_EQ(found[lane], by_table(table, values[0], values[1], values[2])) << table;
    }
    EXPECT_LE(fragment.program().code.size(), 3u) << table;  // with EXIT, and a MOV32I of ones
  }
}
INSTANTIATE_TEST_SUITE_P(Ptx, LogicOfThree, testing::Range(0, 6));

struct Shift {
  const char* operation;
  uint64_t (*expected)(uint64_t, unsigned);
};
constexpr Shift kShifts[] = {
    {"shl.b64", [](uint64_t x, unsigned by) { return by > 63 ? 0 : x << by; }},
    {"shr.u64", [](uint64_t x, unsigned by) { return by > 63 ? 0 : x >> by; }},
    {"shr.s64",
     [](uint64_t x, unsigned by) {
       return static_cast<uint64_t>(static_cast<int64_t>(x) >> std::min(by, 63u));
     }},
};

void expect_shift(const Shift& shift, const std::string& upper, unsigned by) {
  Fragment fragment("mov.b64 pair, {Ra, " + upper + "};\n" + shift.operation + " pair, pair, " +
                    std::to_string(by) + ";\nmov.b64 {Rl, Rh}, pair;");
  const std::vector<uint32_t> a = words_of(0x9E3779B1);
  const std::vector<uint32_t> b = upper == "0" ? words_of(0) : words_of(0x85EBCA77);
  fragment.set("Ra", a);
  if (upper != "0") fragment.set("Rb", b);
  fragment.run();
  for (size_t lane = 0; lane < kLanes; ++lane) {
    const uint64_t x = uint64_t{b[lane]} << 32 | a[lane];
    const uint64_t expected = shift.expected(x, by);
    ASSERT_EQ(fragment.words("Rl")[lane], static_cast<uint32_t>(expected)) << shift.operation << by;
    ASSERT_EQ(fragment.words("Rh")[lane], expected >> 32) << shift.operation << by;
  }
}

TEST(PtxBits, PairsAreShiftedByEveryDistance) {
  for (const Shift& shift : kShifts) {
    for (unsigned by = 0; by <= 65; ++by) {
      expect_shift(shift, "Rb", by);
      expect_shift(shift, "0", by);
    }
  }
}

/// A kernel that stores %d, which `body` computes from two words of `in` in %a and %b.
std::string kernel_of(const std::string& body) {
  return ".version 6.4\n.target sm_50\n.address_size 64\n"
         ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n) {\n"
         ".reg .b64 %in, %out, %x, %y;\n.reg .b32 %a, %b, %d, %t;\n"
         "ld.param.u64 %in, [in]; ld.param.u64 %out, [out];\n"
         "ld.global.v2.u32 {%a, %b}, [%in];\n" +
         body + "\nst.global.u32 [%out], %d;\nret;\n}\n";
}

struct Known {
  const char* body;
  size_t instructions;  ///< number of instructions that the body takes
  const char* last;     ///< one of the program's instructions
};

class PtxKnownBits : public testing::TestWithParam<Known> {};

TEST_P(PtxKnownBits, TakeNoMoreInstructionsThanTheyHaveTo) {
  const size_t others = ptx_program(kernel_of("mov.b32 %d, %a;")).code.size();
  const Program program = ptx_program(kernel_of(GetParam().body));
  EXPECT_EQ(program.code.size(), others + GetParam().instructions);
  EXPECT_THAT(program.texts, testing::Contains(testing::MatchesRegex(GetParam().last)));
}

constexpr Known kKnown[] = {
    {"and.b32 %t, %a, 255; and.b32 %d, %t, 60;", 1, "LOP.AND R.+, R.+, 0x3c"},
    {"xor.b32 %t, %a, 5; xor.b32 %d, %t, 3;", 1, "LOP.XOR R.+, R.+, 0x6"},
    {"shr.u32 %t, %a, 5; and.b32 %d, %t, 7;", 1, "BFE.U32 R.+, R.+, 0x305"},
    {"cvt.u32.u8 %d, %a;", 1, "LOP.AND R.+, R.+, 0xff"},
    {"cvt.s32.s16 %d, %a;", 1, "BFE R.+, R.+, 0x1000"},
    {"and.b32 %t, %a, 7; cvt.s32.s16 %d, %t;", 1, "LOP.AND R.+, R.+, 0x7"},
    {"shr.u32 %t, %a, 20; and.b32 %d, %t, 0xFFFF;", 1, "SHR.U32 R.+, R.+, 0x14"},
    {"and.b32 %t, %a, 7; shr.u32 %d, %t, 3; add.u32 %d, %d, %b;", 0, "STG.E .+"},
    {"mov.b64 %x, {%b, %a}; shr.u64 %x, %x, 40; cvt.u32.u64 %d, %x;", 1, "SHR.U32 R.+, R.+, 0x8"},
    {"mul.wide.u32 %x, %a, %b; shr.u64 %x, %x, 32; cvt.u32.u64 %d, %x;", 5, "IADD3.RS R.+"},
    {"mov.b64 %x, {%a, %b}; add.s64 %x, %x, 0; mov.b64 {%a, %b}, %x; xor.b32 %d, %a, %b;", 1,
     "LOP.XOR R.+"},
    {"mov.b64 %x, {%a, %b}; mov.u64 %y, 0; sub.s64 %x, %x, %y; shr.u64 %x, %x, 32;"
     "cvt.u32.u64 %t, %x; add.u32 %d, %t, %a;",
     1, "IADD R.+"},
};
INSTANTIATE_TEST_SUITE_P(Ptx, PtxKnownBits, testing::ValuesIn(kKnown));

struct Computed {
  const char* body;
  uint32_t a, b;
  uint32_t d;
};

class PtxValue : public testing::TestWithParam<Computed> {};

TEST_P(PtxValue, IsTheLiteralOneInBothLowerings) {
  for (const Lowering lowering : {Lowering::kPlain, Lowering::kOptimised}) {
    Witness witness;
    const auto out = run_kernel(ptx_program(kernel_of(GetParam().body), "", lowering), 1, 1,
                                {GetParam().a, GetParam().b}, 1, &witness);
    EXPECT_EQ(out[0], GetParam().d) << GetParam().body;
  }
}

const Computed kConstantsFirst[] = {
    {"mov.b64 %x, {%a, %b}; min.s64 %y, -3, %x; cvt.u32.u64 %d, %y;", 6, 0xFFFFFFFF, 6},
    {"mov.b64 %x, {%a, %b}; max.s64 %y, -3, %x; cvt.u32.u64 %d, %y;", 6, 0xFFFFFFFF, 0xFFFFFFFD},
    {"mov.b64 %x, {%a, %b}; min.u64 %y, -3, %x; cvt.u32.u64 %d, %y;", 6, 0xFFFFFFFF, 6},
    {"mov.b64 %x, {%a, %b}; max.u64 %y, -3, %x; cvt.u32.u64 %d, %y;", 6, 0xFFFFFFFF, 0xFFFFFFFD},
    {"mov.b64 %x, {%a, %b}; set.gt.u32.s64 %d, -3, %x;", 6, 0xFFFFFFFF, 0xFFFFFFFF},
    {"mov.b64 %x, {%a, %b}; set.lt.u32.s64 %d, -3, %x;", 6, 0xFFFFFFFF, 0},
    {"mov.b64 %x, {%a, %b}; set.ge.u32.u64 %d, 5000000000, %x;", 6, 1, 0xFFFFFFFF},
    {"mov.b64 %x, {%a, %b}; set.le.u32.u64 %d, 5000000000, %x;", 6, 1, 0},
    {"mov.b64 %x, {%a, %b}; set.eq.u32.s64 %d, -3, %x;", 0xFFFFFFFD, 0xFFFFFFFF, 0xFFFFFFFF},
    {"mov.b64 %x, {%a, %b}; set.ne.u32.s64 %d, -3, %x;", 0xFFFFFFFD, 0xFFFFFFFF, 0},
};
INSTANTIATE_TEST_SUITE_P(ConstantFirst, PtxValue, testing::ValuesIn(kConstantsFirst));

const Computed kConversions[] = {
    {"cvt.rpi.sat.f32.f32 %d, %a;", 0x3F000000, 0, 0x3F800000},
    {"cvt.rni.sat.f32.f32 %d, %a;", 0x3F000000, 0, 0},
    {"cvt.rzi.sat.f32.f32 %d, %a;", 0x3F666666, 0, 0},
    {"cvt.rmi.sat.f32.f32 %d, %a;", 0x3F666666, 0, 0},
    {"cvt.rni.sat.f32.f32 %d, %a;", 0x40400000, 0, 0x3F800000},
    {"cvt.sat.f32.f32 %d, %a;", 0x3F000000, 0, 0x3F000000},
    {"cvt.f32.f32 %d, %a;", 0xC0490FDB, 0, 0xC0490FDB},
    {"cvt.f32.f32 %d, %a;", 1, 0, 1},
    {"cvt.ftz.f32.f32 %d, %a;", 1, 0, 0},
    {"cvt.s8.u8 %d, %a;", 0xFE, 0, 0xFFFFFFFE},
    {"cvt.u8.s8 %d, %a;", 0xFFFFFFFE, 0, 0xFE},
    {"cvt.s16.u16 %d, %a;", 0xFFFE, 0, 0xFFFFFFFE},
    {"cvt.u16.s16 %d, %a;", 0xFFFFFFFE, 0, 0xFFFE},
    {"cvt.s32.u8 %d, %a;", 0xFFFFFFFE, 0, 0xFE},
    {"cvt.u32.s8 %d, %a;", 0xFE, 0, 0xFFFFFFFE},
};
INSTANTIATE_TEST_SUITE_P(Conversion, PtxValue, testing::ValuesIn(kConversions));

}  // namespace ptx_bits_test
}  // namespace shflsim::isa
