// SPDX-License-Identifier: Apache-2.0
// Every rounding mode of every floating-point operation against the host's own arithmetic, on a
// million operand tuples each.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>

#include "isa/machine/rounding.h"
#include "tests/isa/machine_support.h"

namespace shflsim::isa {
namespace machine_float_test {

constexpr size_t kSamples = 1'000'000;
constexpr int kModes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
constexpr const char* kSuffixes[] = {"", ".RM", ".RP", ".RZ"};

/// Words for hard operands: any bits, exponents close together, denormals, special values.
std::vector<uint32_t> hard_words(unsigned seed, size_t count) {
  std::mt19937 random(seed);
  const uint32_t specials[] = {0,          0x80000000, 0x7F800000, 0xFF800000,
                               0x7FC00000, 1,          0x007FFFFF, 0x00800000,
                               0x7F7FFFFF, 0x3F800000, 0xBF800000, 0x3F800001};
  std::vector<uint32_t> words;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t bits = static_cast<uint32_t>(random());
    switch (random() % 8) {
      case 0: words.push_back(specials[bits % 12]); break;
      case 1: words.push_back(bits & 0x807FFFFF); break;
      case 2: words.push_back((bits & 0x80FFFFFF) | 0x7E000000); break;
      case 3: words.push_back(bits); break;
      default: words.push_back((bits & 0x83FFFFFF) | 0x3C000000); break;
    }
  }
  return words;
}

/// The float's bits as the machine shows them: every NaN is kNan32.
uint32_t shown(float value) { return value != value ? kNan32 : bits_of(value); }

using Reference = std::function<float(float, float, float)>;

/// Runs `operation` R4..R7 = op(R1, R2, R3) in the four modes and compares lane by lane.
void compare(const std::string& operation, const std::string& operands,
             const Reference& reference) {
  Experiment one({operation + kSuffixes[0] + " R4, " + operands,
                  operation + kSuffixes[1] + " R5, " + operands,
                  operation + kSuffixes[2] + " R6, " + operands,
                  operation + kSuffixes[3] + " R7, " + operands});
  std::vector<uint32_t> words[3];
  for (uint8_t i = 0; i < 3; ++i) {
    words[i] = hard_words(i + 1u, kSamples);
    one.set_lanes(static_cast<uint8_t>(1 + i), words[i]);
  }
  one.launch.block = {1024, 1, 1};
  one.launch.grid = {static_cast<uint32_t>((kSamples + 1023) / 1024), 1, 1};
  one.run();
  for (uint8_t mode = 0; mode < 4; ++mode) {
    std::fesetround(kModes[mode]);
    size_t wrong = 0;
    for (size_t i = 0; i < kSamples && wrong == 0; ++i) {
      const volatile float a = as_float(words[0][i]), b = as_float(words[1][i]);
      const volatile float c = as_float(words[2][i]);
      const uint32_t expected = shown(reference(a, b, c));
      const uint32_t got = one.value(static_cast<uint8_t>(4 + mode), i % kLanes, i / kLanes);
      if (got == expected) continue;
      ++wrong;
      ADD_FAILURE() << operation << kSuffixes[mode] << std::hex << " of " << words[0][i] << " "
                    << words[1][i] << " " << words[2][i] << " gave " << got << ", expected "
                    << expected;
    }
    std::fesetround(FE_TONEAREST);
  }
}

TEST(SinglePrecision, AddsAsTheHostDoes) {
  compare("FADD", "R1, R2", [](float a, float b, float) {
    const volatile float sum = a + b;
    return sum;
  });
}

TEST(SinglePrecision, MultipliesAsTheHostDoes) {
  compare("FMUL", "R1, R2", [](float a, float b, float) {
    const volatile float product = a * b;
    return product;
  });
}

TEST(SinglePrecision, FusesAsTheHostDoes) {
  compare("FFMA", "R1, R2, R3", [](float a, float b, float c) {
    const volatile float result = std::fma(a, b, c);
    return result;
  });
}

using DoubleReference = std::function<double(double, double, double)>;

uint64_t shown(double value) { return value != value ? 0 : bits_of(value); }

void compare_double(const std::string& operation, const std::string& operands,
                    const DoubleReference& reference) {
  constexpr size_t kCount = kSamples;
  Experiment one({operation + kSuffixes[0] + " R8, " + operands,
                  operation + kSuffixes[1] + " R10, " + operands,
                  operation + kSuffixes[2] + " R12, " + operands,
                  operation + kSuffixes[3] + " R14, " + operands});
  std::vector<uint64_t> values[3];
  for (uint8_t i = 0; i < 3; ++i) {
    // The upper word of a hard float makes a hard double once its exponent is spread over 11 bits.
    const std::vector<uint32_t> high = hard_words(10u + i, kCount);
    const std::vector<uint32_t> low = hard_words(20u + i, kCount);
    std::vector<uint32_t> lower, upper;
    for (size_t k = 0; k < kCount; ++k) {
      const uint64_t value = bits_of(static_cast<double>(as_float(high[k]))) ^ low[k];
      values[i].push_back(value);
      lower.push_back(static_cast<uint32_t>(value));
      upper.push_back(static_cast<uint32_t>(value >> 32));
    }
    one.set_lanes(static_cast<uint8_t>(2 + 2 * i), lower);
    one.set_lanes(static_cast<uint8_t>(3 + 2 * i), upper);
  }
  one.launch.block = {1024, 1, 1};
  one.launch.grid = {static_cast<uint32_t>((kCount + 1023) / 1024), 1, 1};
  one.run();
  for (uint8_t mode = 0; mode < 4; ++mode) {
    std::fesetround(kModes[mode]);
    bool right = true;
    for (size_t i = 0; i < kCount && right; ++i) {
      const uint64_t expected = shown(
          reference(as_double(values[0][i]), as_double(values[1][i]), as_double(values[2][i])));
      const uint8_t result = static_cast<uint8_t>(8 + 2 * mode);
      const uint64_t bits =
          uint64_t{one.value(static_cast<uint8_t>(result + 1), i % kLanes, i / kLanes)} << 32 |
          one.value(result, i % kLanes, i / kLanes);
      right = shown(as_double(bits)) == expected;
      EXPECT_TRUE(right) << operation << kSuffixes[mode] << " sample " << i << std::hex << " gave "
                         << bits << ", expected " << expected;
    }
    std::fesetround(FE_TONEAREST);
  }
}

TEST(DoublePrecisionProperty, AddsAsTheHostDoes) {
  compare_double("DADD", "R2, R4", [](double a, double b, double) {
    const volatile double x = a, y = b;
    const volatile double sum = x + y;
    return sum;
  });
}

TEST(DoublePrecisionProperty, MultipliesAsTheHostDoes) {
  compare_double("DMUL", "R2, R4", [](double a, double b, double) {
    const volatile double x = a, y = b;
    const volatile double product = x * y;
    return product;
  });
}

TEST(DoublePrecisionProperty, FusesAsTheHostDoes) {
  compare_double("DFMA", "R2, R4, R6", [](double a, double b, double c) {
    const volatile double x = a, y = b, z = c;
    const volatile double result = std::fma(x, y, z);
    return result;
  });
}

TEST(Conversion, RoundsEveryDirectionAsTheHostDoes) {
  const std::vector<uint32_t> words = hard_words(5, kSamples / 4);
  for (uint8_t mode = 0; mode < 4; ++mode) {
    std::fesetround(kModes[mode]);
    for (const uint32_t word : words) {
      const volatile uint64_t wide = uint64_t{word} * 0x9E3779B97F4A7C15u;
      const volatile double value = as_double(wide);
      const volatile float narrow = static_cast<float>(value);
      const volatile float from_integer = static_cast<float>(wide);
      const Rounding rounding = static_cast<Rounding>(mode);
      const Unpacked unpacked = unpack(wide, kDoubleFormat);
      ASSERT_EQ(pack({false, wide, 0}, kSingleFormat, rounding), bits_of(float{from_integer}));
      if (unpacked.kind != Unpacked::Kind::kFinite) continue;
      ASSERT_EQ(pack(unpacked.value, kSingleFormat, rounding), bits_of(float{narrow}));
    }
    std::fesetround(FE_TONEAREST);
  }
}

TEST(Conversion, RoundTripsEveryHalf) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Unpacked value = unpack(bits, kHalfFormat);
    if (value.kind != Unpacked::Kind::kFinite) continue;
    const uint64_t single = pack(value.value, kSingleFormat, Rounding::kNearest);
    const Unpacked back = unpack(single, kSingleFormat);
    ASSERT_EQ(pack(back.value, kHalfFormat, Rounding::kNearest), bits);
  }
}

}  // namespace machine_float_test
}  // namespace shflsim::isa
