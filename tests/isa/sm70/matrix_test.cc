// SPDX-License-Identifier: Apache-2.0
// The matrix unit: small integers, whose sums are exact in any order, compared with plain matrix
// products; and the rounding of sums that are not exact.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "isa/machine/rounding.h"
#include "isa/machine/sm70/dot_product.h"
#include "tests/isa/machine_support.h"
#include "tests/isa/sm70/matrix_support.h"

namespace shflsim::isa {
namespace sm70_matrix_test {

using namespace matrix_support;

/// An operation R0 = R4 * R8 + R12 with elements of `bits` bits.
struct Product {
  Arch arch;
  const char* text;
  unsigned rows, depth, bits;
  std::function<uint32_t(int)> encode;
  std::function<int(uint32_t)> decode_sum;
  unsigned sum_bits;
};

void check(const Product& product) {
  std::mt19937 random(1);
  const auto small = [&] { return static_cast<int>(random() % 7); };
  std::vector<int> a(product.rows * product.depth), b(kColumns * product.depth);
  std::vector<int> c(product.rows * kColumns);
  Words words_a, words_b, words_c;
  for (unsigned row = 0; row < product.rows; ++row)
    for (unsigned k = 0; k < product.depth; ++k)
      put(&words_a, product.rows, product.bits, row, k,
          product.encode(a[row * product.depth + k] = small()) & low_mask_of(product.bits));
  for (unsigned column = 0; column < kColumns; ++column)
    for (unsigned k = 0; k < product.depth; ++k)
      put(&words_b, kColumns, product.bits, column, k,
          product.encode(b[column * product.depth + k] = small()) & low_mask_of(product.bits));
  Experiment one({product.text}, product.arch);
  give(one, 4, words_a);
  give(one, 8, words_b);
  one.run();
  const unsigned each = 32 / product.sum_bits;
  for (unsigned row = 0; row < product.rows; ++row) {
    for (unsigned column = 0; column < kColumns; ++column) {
      int expected = 0;
      for (unsigned k = 0; k < product.depth; ++k)
        expected += a[row * product.depth + k] * b[column * product.depth + k];
      const unsigned index = 2 / each * (row / 8) + (each == 1 ? column % 2 : 0);
      const uint32_t word = one.value(static_cast<uint8_t>(index), 4 * (row % 8) + column / 2);
      const uint32_t sum = each == 1 ? word : word >> (16 * (column % 2)) & 0xFFFF;
      ASSERT_EQ(product.decode_sum(sum), expected) << product.text << " " << row << " " << column;
    }
  }
}

TEST(Sm70Matrix, MultipliesMatricesOfEveryShapeAndType) {
  const Arch sm75 = Arch::kSm75, sm80 = Arch::kSm80, sm90 = Arch::kSm90;
  const Product products[] = {
      {sm75, "HMMA.1688.F32 R0, R4, R8, RZ", 16, 8, 16, half, of_single, 32},
      {sm75, "HMMA.1688.F16 R0, R4, R8, RZ", 16, 8, 16, half, of_half, 16},
      {sm80, "HMMA.16816.F32 R0, R4, R8, RZ", 16, 16, 16, half, of_single, 32},
      {sm90, "HMMA.16816.F16 R0, R4, R8, RZ", 16, 16, 16, half, of_half, 16},
      {sm80, "HMMA.1688.F32.BF16 R0, R4, R8, RZ", 16, 8, 16, bfloat, of_single, 32},
      {sm90, "HMMA.16816.F32.BF16 R0, R4, R8, RZ", 16, 16, 16, bfloat, of_single, 32},
      {sm80, "HMMA.1684.F32.TF32 R0, R4, R8, RZ", 16, 4, 32, single, of_single, 32},
      {sm90, "HMMA.1688.F32.TF32 R0, R4, R8, RZ", 16, 8, 32, single, of_single, 32},
      {sm75, "IMMA.8816.S8.U8 R0, R4.ROW, R8.COL, RZ", 8, 16, 8, integer, of_integer, 32},
      {sm75, "IMMA.8832.U4.U4 R0, R4.ROW, R8.COL, RZ", 8, 32, 4, integer, of_integer, 32},
      {sm80, "IMMA.16816.U8.S8 R0, R4.ROW, R8.COL, RZ", 16, 16, 8, integer, of_integer, 32},
      {sm90, "IMMA.16832.S8.S8 R0, R4.ROW, R8.COL, RZ", 16, 32, 8, integer, of_integer, 32},
      {sm80, "IMMA.16832.S4.S4 R0, R4.ROW, R8.COL, RZ", 16, 32, 4, integer, of_integer, 32},
      {sm80, "IMMA.16864.U4.S4 R0, R4.ROW, R8.COL, RZ", 16, 64, 4, integer, of_integer, 32},
  };
  for (const Product& product : products) check(product);
}

TEST(Sm70Matrix, SaturatesIntegerSumsOnDemand) {
  for (const bool saturates : {false, true}) {
    Experiment one(
        {std::string("IMMA.8816.S8.S8") + (saturates ? ".SAT" : "") + " R0, R4.ROW, R8.COL, R12"},
        Arch::kSm75);
    one.set(4, 0x01);
    one.set(8, 0x01);
    one.set(12, 0x7FFFFFFF);
    one.set(13, 0x7FFFFFFF);
    one.run();
    EXPECT_EQ(one.value(0), saturates ? 0x7FFFFFFFu : 0x80000003u);
  }
}

TEST(Sm70Matrix, FusesDoublesOneAfterTheOther) {
  Experiment one({"DMMA.8x8x4 R0, R4, R8, R12"}, Arch::kSm90);
  for (const uint8_t pair : std::initializer_list<uint8_t>{4, 8, 12, 14}) {
    one.set(pair, 0);
    one.set(static_cast<uint8_t>(pair + 1), 0x40080000);  // 3
  }
  one.run();
  for (const uint8_t pair : std::initializer_list<uint8_t>{0, 2}) {
    EXPECT_EQ(one.value(pair), 0u);
    EXPECT_EQ(one.value(static_cast<uint8_t>(pair + 1)), 0x40438000u);  // 4 * 9 + 3
  }
}

TEST(Sm70Matrix, TakesLongerDoublesOnHopper) {
  Experiment one({"DMMA.16x8x16 R8, R16, R32, R8"}, Arch::kSm90);
  for (uint8_t index = 8; index < 40; ++index) one.set(index, index % 2 == 0 ? 0 : 0x40080000);
  one.run();
  for (uint8_t index = 9; index < 16; index = static_cast<uint8_t>(index + 2))
    EXPECT_EQ(one.value(index), 0x40626000u);  // 16 * 9 + 3
}

TEST(Sm70Matrix, PrefersANanOfBToTheSumsAndThatToOneOfA) {
  constexpr uint32_t kNanA = 0x7FF00001, kNanB = 0xFFF00002, kNanC = 0x7FF00003,
                     kThree = 0x40080000;
  struct Case {
    uint32_t a, b, c, d;  // upper words
  };
  for (const Case& each : std::initializer_list<Case>{{kNanA, kNanB, kNanC, kNanB | 0x80000},
                                                      {kThree, kNanB, kNanC, kNanB | 0x80000},
                                                      {kNanA, kThree, kNanC, kNanC | 0x80000},
                                                      {kNanA, kThree, kThree, kNanA | 0x80000},
                                                      {0x7FF00000, 0, kThree, 0xFFF80000}}) {
    Experiment one({"DMMA.8x8x4 R0, R4, R8, R12"}, Arch::kSm90);
    one.set(5, each.a);
    one.set(9, each.b);
    for (const uint8_t upper : std::initializer_list<uint8_t>{13, 15}) one.set(upper, each.c);
    for (const uint8_t lower : std::initializer_list<uint8_t>{4, 8, 12, 14}) one.set(lower, 0);
    one.run();
    for (const uint8_t upper : std::initializer_list<uint8_t>{1, 3})
      EXPECT_EQ(one.value(upper), each.d) << std::hex << each.a << ' ' << each.b << ' ' << each.c;
  }
}

TEST(Sm70Matrix, Transposes) {
  Experiment one({"MOVM.16.MT88 R0, R2"}, Arch::kSm75);
  std::vector<uint32_t> words;
  for (uint32_t lane = 0; lane < kLanes; ++lane) words.push_back(2 * lane | (2 * lane + 1) << 16);
  one.set_lanes(2, words);
  one.run();
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const uint32_t row = lane / 4, column = 2 * (lane % 4);
    EXPECT_EQ(one.value(0, lane), (8 * column + row) | (8 * (column + 1) + row) << 16);
  }
}

/// 2^e as a half.
uint32_t power(int e) { return static_cast<uint32_t>(e + 15) << 10; }

TEST(DotProduct, CutsOffBelowTheUnitsLastPlace) {
  const Term one = term_of(power(0), kHalfFormat), small = term_of(power(-12), kHalfFormat);
  const Term a[] = {one, small}, b[] = {one, small};
  // 1 + 2^-24: seen only where the unit keeps 24 places; rounded towards zero, then, again gone.
  EXPECT_EQ(dot_product({23, 8}, a, b, 2, 0, kSingleFormat), 0x3F800000u);
  const Term minus_one = term_of(power(0) | 0x8000, kHalfFormat);
  const Term a3[] = {one, small, minus_one}, b3[] = {one, small, one};
  EXPECT_EQ(dot_product({23, 8}, a3, b3, 3, 0, kSingleFormat), 0u);
  EXPECT_EQ(dot_product({24, 16}, a3, b3, 3, 0, kSingleFormat), 0x33800000u);  // 2^-24
}

TEST(DotProduct, RoundsSinglesTowardsZeroAndHalvesToTheNearest) {
  const Term one = term_of(power(0), kHalfFormat);
  const Term a[] = {one}, b[] = {one};
  EXPECT_EQ(dot_product({24, 16}, a, b, 1, 0xCB800001, kSingleFormat), 0xCB800000u);
  const Term eighth = term_of(power(-12), kHalfFormat), large = term_of(power(1) | 1, kHalfFormat);
  const Term x[] = {large, eighth}, y[] = {one, large};
  EXPECT_EQ(dot_product({24, 16}, x, y, 2, 0, kHalfFormat), 0x4001u);
}

/// 2^e as a bfloat, plus fraction bits.
Term bfloat_power(int e, uint32_t fraction = 0) {
  return term_of(static_cast<uint32_t>(e + 127) << 7 | fraction, kBfloatFormat);
}

TEST(DotProduct, AlignsTinySumsToTheExponentOfZero) {
  // 33 * 31 * 2^-159 + 2^-159 = 2^-149, of which 2^-159 is cut off twice.
  const Term a[] = {bfloat_power(-75, 4), bfloat_power(-80)},
             b[] = {bfloat_power(-75, 120), bfloat_power(-79)};
  EXPECT_EQ(dot_product({25, 32}, a, b, 2, 0, kSingleFormat), 0u);
  const Term twice[] = {bfloat_power(-74, 4), bfloat_power(-79)};  // 2^-158 is kept
  EXPECT_EQ(dot_product({25, 32}, twice, b, 2, 0, kSingleFormat), 2u);
}

TEST(DotProduct, SumsRoundedToZeroHaveNoSign) {
  const Term tiny[] = {bfloat_power(-80)};
  Term minus = bfloat_power(-80);
  minus.negative = true;
  minus.significand = -minus.significand;
  EXPECT_EQ(dot_product({25, 32}, tiny, &minus, 1, 0, kSingleFormat), 0u);
  EXPECT_EQ(dot_product({25, 32}, tiny, &minus, 1, 0x80000000, kSingleFormat), 0u);
  EXPECT_EQ(dot_product({25, 32}, tiny, &minus, 1, 0x80000001, kSingleFormat), 0x80000001u);
  EXPECT_EQ(dot_product({25, 32}, tiny, &minus, 1, 0x8001, kHalfFormat), 0x8001u);
}

TEST(DotProduct, PassesInfinitiesAndNaNs) {
  const Term infinity = term_of(0x7C00, kHalfFormat), zero = term_of(0, kHalfFormat);
  const Term one = term_of(power(0), kHalfFormat), nan = term_of(0x7E00, kHalfFormat);
  const auto product = [](const Term& a, const Term& b, uint32_t c, const FloatFormat& format) {
    return dot_product({25, 32}, &a, &b, 1, c, format);
  };
  EXPECT_EQ(product(infinity, one, 0, kSingleFormat), 0x7F800000u);
  EXPECT_EQ(product(infinity, one, 0xFF800000, kSingleFormat), kNan32);
  EXPECT_EQ(product(infinity, zero, 0, kSingleFormat), kNan32);
  EXPECT_EQ(product(nan, one, 0, kHalfFormat), 0x7FFFu);
  EXPECT_EQ(product(one, one, 0xFC00, kHalfFormat), 0xFC00u);
}

/// mma.m8n8k4: four products of a warp, each of two quads; elements are placed as in PTX's figures.
struct QuadPairs {
  uint16_t a[4][8][4], b[4][4][8], c[4][8][8];

  explicit QuadPairs(unsigned seed) {
    std::mt19937 random(seed);
    const auto small = [&](auto& of) {
      for (auto& matrix : of)
        for (auto& row : matrix)
          for (uint16_t& element : row) element = static_cast<uint16_t>(random() % 9);
    };
    small(a);
    small(b);
    small(c);
  }
  int expected(unsigned lane, unsigned row, unsigned column) const {
    const unsigned pair = lane / 4 % 4;
    int sum = c[pair][row][column];
    for (unsigned k = 0; k < 4; ++k) sum += a[pair][row][k] * b[pair][k][column];
    return sum;
  }
};

uint32_t half_of(int value) { return as_format(value, kHalfFormat); }

std::vector<std::string> steps_of(const char* types, const char* a, const char* b, bool single,
                                  bool single_c) {
  std::vector<std::string> lines;
  for (int step = 0; step < (single ? 4 : 2); ++step) {
    const int addend = single_c ? 2 * step : single ? step / 2 * 2 : 2 * step;
    lines.push_back(std::string("HMMA.884.") + types + ".STEP" + std::to_string(step) + " R" +
                    std::to_string(24 + 2 * step) + ", R4." + a + ", R6." + b + ", R" +
                    std::to_string(8 + addend));
  }
  return lines;
}

/// Halves of a lane, two per register.
void give_halves(Experiment& one, uint8_t first, unsigned count,
                 const std::function<int(unsigned lane, unsigned index)>& value) {
  for (unsigned word = 0; word < count / 2; ++word) {
    std::vector<uint32_t> words;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      words.push_back(half_of(value(lane, 2 * word)) | half_of(value(lane, 2 * word + 1)) << 16);
    one.set_lanes(static_cast<uint8_t>(first + word), words);
  }
}

struct QuadPairForm {
  bool a_by_row, b_by_row;
  const char* types;  ///< of D and C

  bool single() const { return types[1] == '3'; }
  bool single_c() const { return types[5] == '3'; }
};

unsigned upper(unsigned lane) { return lane / 16 * 4; }
unsigned row_of(unsigned lane, unsigned i) { return (lane & 1) + (i & 2) + upper(lane); }
unsigned column_of(unsigned lane, unsigned i) { return (i & 4) + (lane & 2) + (i & 1); }

void give_matrices(Experiment& one, const QuadPairs& m, const QuadPairForm& form) {
  give_halves(one, 4, 4, [&](unsigned lane, unsigned i) {
    const unsigned pair = lane / 4 % 4;
    return form.a_by_row ? m.a[pair][lane % 4 + upper(lane)][i]
                         : m.a[pair][i + upper(lane)][lane % 4];
  });
  give_halves(one, 6, 4, [&](unsigned lane, unsigned i) {
    const unsigned pair = lane / 4 % 4;
    return form.b_by_row ? m.b[pair][lane % 4][i + upper(lane)]
                         : m.b[pair][i][lane % 4 + upper(lane)];
  });
  give_halves(one, 8, 8, [&](unsigned lane, unsigned i) {
    return m.c[lane / 4 % 4][lane % 4 + upper(lane)][i];
  });
  for (unsigned i = 0; i < 8 && form.single_c(); ++i) {
    std::vector<uint32_t> words;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      words.push_back(
          as_format(m.c[lane / 4 % 4][row_of(lane, i)][column_of(lane, i)], kSingleFormat));
    one.set_lanes(static_cast<uint8_t>(8 + i), words);
  }
}

void expect_products(const Experiment& one, const QuadPairs& m, const QuadPairForm& form,
                     unsigned lane) {
  for (unsigned i = 0; i < 8; ++i) {
    if (form.single()) {
      ASSERT_EQ(one.value(static_cast<uint8_t>(24 + i), lane),
                as_format(m.expected(lane, row_of(lane, i), column_of(lane, i)), kSingleFormat))
          << form.types << lane << " " << i;
    } else {
      const uint32_t word = one.value(static_cast<uint8_t>(24 + i / 2), lane);
      ASSERT_EQ(word >> (16 * (i % 2)) & 0xFFFF,
                half_of(m.expected(lane, lane % 4 + upper(lane), i)))
          << form.types << lane << " " << i;
    }
  }
}

TEST(Sm70Matrix, MultipliesInQuadPairsOfSm70) {
  const QuadPairs m(3);
  for (unsigned order = 0; order < 4; ++order) {
    for (const char* const types : {"F16.F16", "F32.F16", "F32.F32"}) {
      const QuadPairForm form{order / 2 == 0, order % 2 == 0, types};
      Experiment one(steps_of(types, form.a_by_row ? "ROW" : "COL", form.b_by_row ? "ROW" : "COL",
                              form.single(), form.single_c()),
                     Arch::kSm70);
      give_matrices(one, m, form);
      one.run();
      for (unsigned lane = 0; lane < kLanes; ++lane) expect_products(one, m, form, lane);
    }
  }
}

}  // namespace sm70_matrix_test
}  // namespace shflsim::isa
