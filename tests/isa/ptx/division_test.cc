// SPDX-License-Identifier: Apache-2.0
// Quotients, remainders and roots in PTX, against the host's own IEEE and integer arithmetic.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "tests/isa/ptx/pairs.h"

namespace shflsim::isa {
namespace ptx_division_test {

template <class To, class From>
To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "the same bits");
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// Floats at both ends of the range, and around one and powers of two near one.
template <class Word>
std::vector<Word> hard_floats(unsigned mantissa) {
  const Word ones = (Word{1} << mantissa) - 1;
  const Word most = (Word{1} << (8 * sizeof(Word) - 1 - mantissa)) - 1;
  std::vector<Word> words;
  for (const Word exponent : {Word{0}, Word{1}, Word{mantissa + 1}, most / 2 - 1, most / 2,
                              most / 2 + 1, most - mantissa, most - 2, most - 1, most}) {
    for (const Word low : {Word{0}, Word{1}, ones, ones / 2 + 1, ones / 3}) {
      words.push_back(exponent << mantissa | low);
      words.push_back(words.back() | Word{1} << (8 * sizeof(Word) - 1));
    }
  }
  return words;
}

template <class Word, class Float>
Pairs<Word> float_pairs() {
  std::mt19937_64 random(1);
  constexpr unsigned kMantissa = std::numeric_limits<Float>::digits - 1;
  return pairs_of<Word>(hard_floats<Word>(kMantissa), [&] {
    const Word any = static_cast<Word>(random());
    const Word near_one = bits_as<Word>(Float{1}) ^ (any & ((Word{4} << kMantissa) - 1));
    return random() % 2 == 0 ? any : near_one;
  });
}

template <class Float>
Float rounded(int mode, const std::string& name, Float a, Float b) {
  std::fesetround(mode);
  volatile Float x = a;
  volatile Float y = b;
  volatile Float result = Float{0};
  if (name == "div") result = x / y;
  if (name == "rcp") result = Float{1} / x;
  if (name == "sqrt") result = std::sqrt(x);
  std::fesetround(FE_TONEAREST);
  return result;
}

float flushed(float value, double exact) {
  return std::fabs(exact) < std::ldexp(1.0, -126) ? std::copysign(0.0F, value) : value;
}

struct Form {
  std::string name;
  std::string rounding;
};

class FloatDivision : public testing::TestWithParam<Form> {
 protected:
  int mode() const {
    const std::string& name = GetParam().rounding;
    return name == "rz"   ? FE_TOWARDZERO
           : name == "rm" ? FE_DOWNWARD
           : name == "rp" ? FE_UPWARD
                          : FE_TONEAREST;
  }
  std::string code(const char* type) const {
    const char* const operands = GetParam().name == "div" ? " %d, %a, %b;" : " %d, %a;";
    return GetParam().name + "." + GetParam().rounding + type + operands;
  }
};

TEST_P(FloatDivision, OfDoublesIsRoundedAsIeeeSays) {
  const auto pairs = float_pairs<uint64_t, double>();
  const auto results = results_of(code(".f64"), pairs);
  for (size_t i = 0; i < pairs.size(); ++i) {
    const double a = bits_as<double>(pairs[i].first);
    const double b = bits_as<double>(pairs[i].second);
    const double expected = rounded(mode(), GetParam().name, a, b);
    if (std::isnan(expected) && std::isnan(bits_as<double>(results[i]))) continue;
    ASSERT_EQ(results[i], bits_as<uint64_t>(expected)) << a << " " << b;
  }
}

TEST_P(FloatDivision, OfFloatsIsRoundedAsIeeeSays) {
  constexpr uint32_t kNan = 0x7FFFFFFF;
  const auto pairs = float_pairs<uint32_t, float>();
  for (const bool flushes : {false, true}) {
    const auto results = results_of(code(flushes ? ".ftz.f32" : ".f32"), pairs);
    for (size_t i = 0; i < pairs.size(); ++i) {
      float a = bits_as<float>(pairs[i].first);
      float b = bits_as<float>(pairs[i].second);
      if (flushes) a = flushed(a, a);
      if (flushes) b = flushed(b, b);
      float expected = rounded(mode(), GetParam().name, a, b);
      if (flushes) expected = flushed(expected, rounded<double>(mode(), GetParam().name, a, b));
      ASSERT_EQ(results[i], std::isnan(expected) ? kNan : bits_as<uint32_t>(expected))
          << a << " " << b << (flushes ? " with .ftz" : "");
    }
  }
}

std::vector<Form> forms() {
  std::vector<Form> all;
  for (const char* const name : {"div", "rcp", "sqrt"}) {
    for (const char* const rounding : {"rn", "rz", "rm", "rp"}) all.push_back({name, rounding});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Ptx, FloatDivision, testing::ValuesIn(forms()), [](const auto& each) {
  return each.param.name + "_" + each.param.rounding;
});

/// Expects results within the relative error `bound`; operands include zeros, infinities and NaN.
template <class Word, class Float, class F>
void expect_near(const std::string& code, double bound, F f) {
  const auto pairs = float_pairs<Word, Float>();
  const auto results = results_of(code, pairs);
  for (size_t i = 0; i < pairs.size(); ++i) {
    const double a = bits_as<Float>(pairs[i].first);
    const double expected = static_cast<Float>(f(a));
    const double result = bits_as<Float>(results[i]);
    if (std::isnan(expected) && std::isnan(result)) continue;
    if (expected == result) continue;
    const double least = std::numeric_limits<Float>::denorm_min();
    ASSERT_LE(std::fabs(result - expected), std::fabs(expected) * bound + least) << code << a;
  }
}

TEST(Approximations, WithoutFtzKeepDenormalNumbers) {
  constexpr double kBound = 4e-7;
  expect_near<uint32_t, float>("rcp.approx.f32 %d, %a;", kBound, [](double a) { return 1 / a; });
  expect_near<uint32_t, float>("div.full.f32 %d, %a, 0f40400000;", kBound,
                               [](double a) { return a / 3; });
  expect_near<uint32_t, float>("sqrt.approx.f32 %d, %a;", kBound,
                               [](double a) { return std::sqrt(a); });
  expect_near<uint32_t, float>("rsqrt.approx.f32 %d, %a;", kBound,
                               [](double a) { return 1 / std::sqrt(a); });
  expect_near<uint64_t, double>("rsqrt.approx.f64 %d, %a;", 4e-16,
                                [](double a) { return 1 / std::sqrt(a); });
}

template <class Word>
Pairs<Word> integer_pairs() {
  constexpr unsigned kBits = 8 * sizeof(Word);
  std::vector<Word> hard = {0, 3, 7, 10, static_cast<Word>(-3)};
  for (unsigned bit = 0; bit < kBits; bit += 9) {
    const Word power = Word{1} << bit;
    hard.insert(hard.end(), {power - 1, power, power + 1, static_cast<Word>(0 - power)});
  }
  hard.push_back(Word{1} << (kBits - 1));
  std::mt19937_64 random(2);
  return pairs_of<Word>(hard, [&] { return static_cast<Word>(random()) >> random() % kBits; });
}

/// Silicon's results: all bits set for division by zero; the least number divided by -1 is itself.
template <class Word, class Number>
void expect_division(const std::string& type) {
  const auto pairs = integer_pairs<Word>();
  const auto quotients = results_of("div" + type + " %d, %a, %b;", pairs);
  const auto remainders = results_of("rem" + type + " %d, %a, %b;", pairs);
  for (size_t i = 0; i < pairs.size(); ++i) {
    const auto a = static_cast<Number>(pairs[i].first);
    const auto b = static_cast<Number>(pairs[i].second);
    const bool overflows = std::is_signed<Number>::value && b == static_cast<Number>(-1);
    const Word negative = Word{0} - pairs[i].first;
    const Word quotient = b == 0 ? ~Word{0} : overflows ? negative : static_cast<Word>(a / b);
    const Word remainder = b == 0 ? ~Word{0} : overflows ? Word{0} : static_cast<Word>(a % b);
    ASSERT_EQ(quotients[i], quotient) << a << " " << b;
    ASSERT_EQ(remainders[i], remainder) << a << " " << b;
  }
}

TEST(IntegerDivision, OfWordsIsTheHosts) {
  expect_division<uint32_t, uint32_t>(".u32");
  expect_division<uint32_t, int32_t>(".s32");
}

TEST(IntegerDivision, OfPairsIsTheHosts) {
  expect_division<uint64_t, uint64_t>(".u64");
  expect_division<uint64_t, int64_t>(".s64");
}

TEST(FloatQuotients, ToNearestKeepTheFewUnitsForDoublesFree) {
  for (const char* text : {"div.rn.f32 d, a, b;", "rcp.rn.f32 d, b;"}) {
    for (const std::string& line : ptx_program(text).texts) {
      EXPECT_EQ(line.find("DFMA"), std::string::npos) << text;
      EXPECT_EQ(line.find("DMUL"), std::string::npos) << text;
    }
  }
}

TEST(Library, IsPutInPlaceUnderAGuard) {
  Fragment fragment("setp.lt.u32 p, a, 7;\n@!p rcp.rn.f32 d, b;");
  fragment.set("a", by_lane([](uint32_t lane) { return lane; }));
  fragment.set("b", by_lane([](uint32_t) { return bits_as<uint32_t>(4.0F); }));
  fragment.set("d", by_lane([](uint32_t) { return 5U; })).run();
  EXPECT_EQ(fragment.words("d"),
            by_lane([](uint32_t lane) { return lane < 7 ? 5U : bits_as<uint32_t>(0.25F); }));
}

TEST(Library, TakesAddressesWhereMemoryIsMeant) {
  EXPECT_EQ(ptx_error("mov.b32 a, 1;\natom.shared.add.f32 d, a, b;"),
            "t.ptx:2:24: no address; expected one such as [a+4]");
  EXPECT_EQ(ptx_error("mov.b32 a, 1;\nrcp.rn.f32 d, [a];"),
            "t.ptx:2:15: an address cannot stand here; expected a register or a number");
}

TEST(Library, WantsAllOperands) {
  for (const char* text : {"$fnma.f32 d, a;", "$fchk.f32 p;", "$setp_abs.gt.f32 p;",
                           "div.rn.f64 d;", "vadd.u32.u32.u32;", "vset.u32.u32.lt d;",
                           "vabsdiff4.u32.u32.u32;", "$quotient.rn.f64;", "fns.b32 d;"}) {
    EXPECT_NE(ptx_error(std::string("mov.b32 a, 1;\n") + text), "") << text;
  }
}

TEST(Library, IsTakenPlainWhereItsManyCopiesWouldTakeTooManyRegisters) {
  std::string code;
  for (int i = 0; i < 60; ++i) code += "div.rn.f64 %d, %a, %b; div.rn.f64 %a, %d, %b;\n";
  EXPECT_LE(ptx_program(kernel_of(code, 8)).registers, 255u);
}

TEST(Library, SaysWhichOperandDoesNotFit) {
  EXPECT_EQ(ptx_error(".reg .b32 d, a;\n.reg .b64 b;\ndiv.rn.f32 d, a, b;"),
            "t.ptx:3:18: 'b' holds 64 bits; expected 32 bits or less");
}

}  // namespace ptx_division_test
}  // namespace shflsim::isa
