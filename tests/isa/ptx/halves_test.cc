// SPDX-License-Identifier: Apache-2.0
// Arithmetic on .f16 and .f16x2 against sums of whole numbers: every half is a multiple of 2^-24.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/isa/ptx/support.h"

namespace shflsim::isa {
namespace ptx_halves_test {

__extension__ using Wide = __int128;

constexpr uint32_t kNan = 0x7FFF;
constexpr int kUnit = 48;  ///< numbers are multiples of 2^-48, as products of halves are

bool is_nan(uint32_t half) { return (half & 0x7FFF) > 0x7C00; }
bool is_infinite(uint32_t half) { return (half & 0x7FFF) == 0x7C00; }
bool is_negative(uint32_t half) { return (half & 0x8000) != 0; }

/// The half's value in units of 2^-24.
int64_t units(uint32_t half) {
  const int64_t exponent = half >> 10 & 31;
  const int64_t fraction = half & 0x3FF;
  const int64_t size = exponent == 0 ? fraction : (fraction | 0x400) << (exponent - 1);
  return is_negative(half) ? -size : size;
}

/// The half nearest to `value` * 2^-48; ties go to the even one.
uint32_t nearest(Wide value, bool zero_is_negative) {
  const bool negative = value < 0 || (value == 0 && zero_is_negative);
  const Wide size = value < 0 ? -value : value;
  const uint32_t sign = negative ? 0x8000 : 0;
  int shift = kUnit - 24;  // the unit of the smallest halves
  while ((size >> shift) >= 0x800) ++shift;
  Wide kept = size >> shift;
  const Wide rest = size - (kept << shift);
  const Wide middle = Wide{1} << (shift - 1);
  if (rest > middle || (rest == middle && kept % 2 != 0)) ++kept;
  // Adding the implicit bit of `kept` increments the exponent.
  const uint64_t bits = (static_cast<uint64_t>(shift - 24) << 10) + static_cast<uint64_t>(kept);
  return sign | (bits >= 0x7C00 ? 0x7C00u : static_cast<uint32_t>(bits));
}

uint32_t fused(uint32_t a, uint32_t b, uint32_t c) {
  const bool negative = is_negative(a) != is_negative(b);
  if (is_nan(a) || is_nan(b) || is_nan(c)) return kNan;
  if (is_infinite(a) || is_infinite(b)) {
    if (units(a) == 0 || units(b) == 0) return kNan;
    if (is_infinite(c) && is_negative(c) != negative) return kNan;
    return negative ? 0xFC00 : 0x7C00;
  }
  if (is_infinite(c)) return c;
  const Wide product = Wide{units(a)} * units(b);
  return nearest(product + Wide{units(c)} * (1 << 24), negative && is_negative(c));
}

uint32_t sum(uint32_t a, uint32_t b) { return fused(a, 0x3C00, b); }
uint32_t product(uint32_t a, uint32_t b) {
  return fused(a, b, is_negative(a) != is_negative(b) ? 0x8000 : 0);
}

/// A special half, a half of any bits, or one of magnitude 0.5 to 8, so that sums cancel.
uint32_t random_half(std::mt19937& random) {
  static constexpr uint32_t kSpecial[] = {0,      0x8000, 1,      0x3FF, 0x400,
                                          0x7BFF, 0x7C00, 0xFC00, 0x7E01};
  const uint32_t bits = static_cast<uint32_t>(random());
  if (bits >> 28 == 0) return kSpecial[bits % 9];
  return bits >> 31 != 0 ? bits & 0xFFFF : 0x3800 + (bits & 0x8FFF);
}

struct HalfOperation {
  const char* text;  ///< sets d from a, b and c
  uint32_t (*expected)(uint32_t a, uint32_t b, uint32_t c);
};

bool less(uint32_t a, uint32_t b) {
  if (is_nan(a) || is_nan(b)) return false;
  const auto order = [](uint32_t half) {
    return is_infinite(half) ? (is_negative(half) ? INT64_MIN : INT64_MAX) : units(half);
  };
  return order(a) < order(b);
}

uint32_t smaller(uint32_t a, uint32_t b) {
  if (is_nan(a)) return is_nan(b) ? kNan : b;
  if (is_nan(b)) return a;
  if ((a & 0x7FFF) == 0 && (b & 0x7FFF) == 0) return a | b;
  return less(a, b) ? a : b;
}

const HalfOperation kOperations[] = {
    {"add.rn.f16", [](uint32_t a, uint32_t b, uint32_t) { return sum(a, b); }},
    {"sub.f16",
     [](uint32_t a, uint32_t b, uint32_t) { return sum(a, is_nan(b) ? b : b ^ 0x8000); }},
    {"mul.f16", [](uint32_t a, uint32_t b, uint32_t) { return product(a, b); }},
    {"fma.rn.f16", [](uint32_t a, uint32_t b, uint32_t c) { return fused(a, b, c); }},
    {"neg.f16", [](uint32_t a, uint32_t, uint32_t) { return is_nan(a) ? kNan : a ^ 0x8000; }},
    {"abs.f16", [](uint32_t a, uint32_t, uint32_t) { return is_nan(a) ? kNan : a & 0x7FFF; }},
    {"min.f16", [](uint32_t a, uint32_t b, uint32_t) { return smaller(a, b); }},
    {"set.lt.f16.f16", [](uint32_t a, uint32_t b, uint32_t) { return less(a, b) ? 0x3C00u : 0u; }},
};

class PtxHalf : public testing::TestWithParam<HalfOperation> {};

std::string operands_of(const std::string& operation) {
  const std::string name = operation.substr(0, 3);
  return name == "neg" || name == "abs" ? " d, a" : name == "fma" ? " d, a, b, c" : " d, a, b";
}

TEST_P(PtxHalf, IsRoundedOnceToTheNearest) {
  std::mt19937 random(7);
  std::string pairs = GetParam().text;
  for (size_t at = 0; (at = pairs.find("f16", at)) != std::string::npos; at += 5) {
    pairs.replace(at, 3, "f16x2");
  }
  const std::string operands = operands_of(GetParam().text);
  Fragment lone(std::string(GetParam().text) + operands + ";\nand.b32 d, d, 0xffff;\n");
  Fragment both(pairs + operands + ";\n");
  for (int round = 0; round < 300; ++round) {
    std::vector<uint32_t> words[3];
    for (std::vector<uint32_t>& each : words) {
      each = by_lane([&](uint32_t) { return random_half(random) | random_half(random) << 16; });
    }
    for (Fragment* each : {&lone, &both}) {
      each->set("a", words[0]);
      if (operands.find(", b") != std::string::npos) each->set("b", words[1]);
      if (operands.find(", c") != std::string::npos) each->set("c", words[2]);
      each->run();
    }
    const auto expected = [&](uint32_t lane, unsigned shift) {
      const auto half = [&](int i) { return words[i][lane] >> shift & 0xFFFF; };
      return GetParam().expected(half(0), half(1), half(2));
    };
    ASSERT_EQ(lone.words("d"), by_lane([&](uint32_t lane) { return expected(lane, 0); }));
    ASSERT_EQ(both.words("d"),
              by_lane([&](uint32_t lane) { return expected(lane, 0) | expected(lane, 16) << 16; }));
  }
}

INSTANTIATE_TEST_SUITE_P(All, PtxHalf, testing::ValuesIn(kOperations));

TEST(PtxHalves, AreMadeOfIntegersAndBecomeThem) {
  Fragment fragment(
      "cvt.rn.f16.s32 d, a;\nand.b32 d, d, 0xffff;\nmov.b64 w, {a, b};\ncvt.rn.f16.u64 e, w;\n"
      "and.b32 e, e, 0xffff;\ncvt.rzi.s32.f16 f, b;\ncvt.rni.s64.f16 v, b;\n"
      "mov.b64 {g, h}, v;\n");
  const auto a = [](uint32_t lane) { return (0x12345u >> (lane / 2)) * (lane % 2 == 0 ? 1 : -1u); };
  const auto b = [](uint32_t lane) { return 0x3000u + lane * 0x25F; };
  fragment.set("a", by_lane(a)).set("b", by_lane(b)).run();
  const auto whole = [](uint32_t half, bool to_even) {
    constexpr int64_t kOne = 1 << 24;
    const int64_t down = units(half) / kOne;
    const int64_t rest = units(half) % kOne;
    return down + (to_even && (rest > kOne / 2 || (rest == kOne / 2 && down % 2 != 0)) ? 1 : 0);
  };
  EXPECT_EQ(fragment.words("d"), by_lane([&](uint32_t lane) {
              return nearest(static_cast<int32_t>(a(lane)) * (Wide{1} << kUnit), false);
            }));
  EXPECT_EQ(fragment.words("e"), by_lane([](uint32_t) { return 0x7C00u; }));
  EXPECT_EQ(fragment.words("f"),
            by_lane([&](uint32_t lane) { return static_cast<uint32_t>(whole(b(lane), false)); }));
  EXPECT_EQ(fragment.words("g"),
            by_lane([&](uint32_t lane) { return static_cast<uint32_t>(whole(b(lane), true)); }));
  EXPECT_EQ(fragment.words("h"), by_lane([](uint32_t) { return 0u; }));
}

TEST(PtxHalves, SaturateAndFlush) {
  Fragment fragment(
      "add.sat.f16 d, a, a;\nand.b32 d, d, 0xffff;\nmul.ftz.f16x2 e, a, b;\n"
      "fma.rn.ftz.sat.f16x2 f, a, b, a;\n");
  fragment.set("a", std::vector<uint32_t>(kLanes, 0xC0003C00));
  fragment.set("b", std::vector<uint32_t>(kLanes, 0x03FF0001)).run();
  EXPECT_EQ(fragment.words("d")[0], 0x3C00u);
  EXPECT_EQ(fragment.words("e")[0], 0x80000000u);
  EXPECT_EQ(fragment.words("f")[0], 0x00003C00u);
}

TEST(PtxHalves, AreComparedIntoPredicates) {
  Fragment fragment(
      "setp.lt.f16x2 p|q, a, b;\nselp.b32 d, 1, 0, p;\n@q add.u32 d, d, 2;\n"
      "setp.geu.f16 p, a, b;\n@p add.u32 d, d, 4;\n");
  fragment.set("a",
               by_lane([](uint32_t lane) { return lane % 2 == 0 ? 0x3C00C000u : 0xC0007E00u; }));
  fragment.set("b", std::vector<uint32_t>(kLanes, 0x00000000)).run();
  EXPECT_EQ(fragment.words("d"), by_lane([](uint32_t lane) { return lane % 2 == 0 ? 1u : 6u; }));
}

std::string error_of(const std::string& target, const std::string& statement) {
  return ptx_error(".version 8.0\n.target " + target +
                   "\n.address_size 64\n.entry k()\n{\n.reg .b16 %h<9>;\n.reg .b32 %r<9>;\n"
                   "mov.u32 %r1, 1;\nmov.u32 %r2, 2;\ncvt.u16.u32 %h1, %r1;\n" +
                   statement + "\nret;\n}\n");
}

TEST(PtxHalves, AreForTargetsThatHaveThem) {
  EXPECT_EQ(error_of("sm_53", "add.f16 %h2, %h1, %h1;"), "");
  EXPECT_EQ(error_of("sm_50", "add.f16 %h2, %h1, %h1;"),
            "t.ptx:11:1: 'add' on .f16 requires sm_53 or higher; the text says sm_50");
  EXPECT_EQ(error_of("sm_60", "max.f16 %h2, %h1, %h1;"),
            "t.ptx:11:1: 'max' on .f16 requires sm_80 or higher; the text says sm_60");
}

TEST(PtxHalves, SayWhichHardwareTheirFormsNeed) {
  const auto refused = [](const std::string& what, const std::string& from) {
    return "t.ptx:11:1: " + what + " is not supported: hardware for it begins with " + from +
           ", and PTX is lowered to sm_50's; expected a cubin of " + from + " or later";
  };
  EXPECT_EQ(error_of("sm_80", "max.NaN.f16x2 %r3, %r1, %r1;"),
            refused("'max' with .NaN on halves", "sm_80"));
  EXPECT_EQ(error_of("sm_80", "min.ftz.NaN.f16 %h2, %h1, %h1;"),
            refused("'min' with .NaN on halves", "sm_80"));
  EXPECT_EQ(error_of("sm_86", "max.xorsign.abs.f16x2 %r3, %r1, %r1;"),
            refused("'max' with .xorsign on halves", "sm_86"));
  EXPECT_EQ(error_of("sm_80", "min.ftz.NaN.f32 %r3, %r1, %r1;"), "");
  EXPECT_EQ(error_of("sm_86", "max.xorsign.abs.f32 %r3, %r1, %r1;"), "");
}

TEST(PtxHalves, OfEightBitsOfExponentAreRefusedByName) {
  EXPECT_EQ(error_of("sm_80", "fma.rn.bf16x2 %r3, %r1, %r1, %r2;"),
            "t.ptx:11:1: 'fma' on .bf16x2 is not supported: hardware for it begins with sm_80, and "
            "PTX is lowered to sm_50's; expected a cubin of sm_80 or later");
}

}  // namespace ptx_halves_test
}  // namespace shflsim::isa
