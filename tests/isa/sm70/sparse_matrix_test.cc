// SPDX-License-Identifier: Apache-2.0
// Sparse products of one warp: small integers, whose sums are exact in any order, compared with
// products of whole rows that are zero where an element is left out.
#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "tests/isa/sm70/matrix_support.h"

namespace shflsim::isa {
namespace sm70_sparse_matrix_test {

using namespace matrix_support;

/// A sparse product R0 = R4 * R8 by the places in R16. `depth`: of B's columns.
struct SparseProduct {
  const char* text;
  unsigned depth, bits, selector;
  uint32_t (*encode)(int);
  int (*decode)(uint32_t);
};

/// Where PTX's figures of mma.sp have the four bits for a group of four elements of a row, or of
/// two in TensorFloat-32: a lane and its first bit.
std::pair<unsigned, unsigned> place_of_group(const SparseProduct& product, unsigned row,
                                             unsigned group) {
  const unsigned first = 4 * (row % 8);
  if (product.bits == 8 && product.depth == 64)
    return {first + row / 8 + 2 * (group / 8), 4 * (group % 8)};
  if (product.bits == 8) return {first + 2 * product.selector + row / 8, 4 * group};
  const bool is_long = product.depth * product.bits == 512;
  const unsigned lane = is_long ? 2 * product.selector + group / 4 : product.selector;
  return {first + lane, 16 * (row / 8) + 4 * (group % 4)};
}

void check_sparse(const SparseProduct& product) {
  constexpr unsigned kRows = 16;
  static constexpr unsigned kPairs[][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  std::mt19937 random(2);
  const auto small = [&] { return static_cast<int>(random() % 7); };
  const unsigned size = product.bits == 32 ? 2 : 4, depth = product.depth;
  std::vector<int> a(kRows * depth), b(kColumns * depth);  // a: 0 where an element is left out
  Words words_a, words_b;
  std::vector<uint32_t> places(kLanes);
  for (unsigned row = 0; row < kRows; ++row) {
    for (unsigned group = 0; group < depth / size; ++group) {
      const unsigned* pair = kPairs[random() % 6];
      static constexpr unsigned kHalves[][2] = {{0, 1}, {2, 3}};
      if (size == 2) pair = kHalves[random() % 2];
      const auto [lane, bit] = place_of_group(product, row, group);
      places[lane] |= (pair[0] | pair[1] << 2) << bit;
      for (unsigned i = 0; i < size / 2; ++i) {
        const unsigned k = group * size + pair[i] / (4 / size);
        put(&words_a, kRows, product.bits, row, group * size / 2 + i,
            product.encode(a[row * depth + k] = small()));
      }
    }
  }
  for (unsigned column = 0; column < kColumns; ++column)
    for (unsigned k = 0; k < depth; ++k)
      put(&words_b, kColumns, product.bits, column, k,
          product.encode(b[column * depth + k] = small()));
  Experiment one({product.text}, Arch::kSm90);
  give(one, 4, words_a);
  give(one, 8, words_b);
  one.set_lanes(16, places);
  one.run();
  for (unsigned row = 0; row < kRows; ++row) {
    for (unsigned column = 0; column < kColumns; ++column) {
      int expected = 0;
      for (unsigned k = 0; k < depth; ++k) expected += a[row * depth + k] * b[column * depth + k];
      const auto index = static_cast<uint8_t>(2 * (row / 8) + column % 2);
      ASSERT_EQ(product.decode(one.value(index, 4 * (row % 8) + column / 2)), expected)
          << product.text << " " << row << " " << column;
    }
  }
}

TEST(Sm70SparseMatrix, ProductsMeetTheElementsThatAreKept) {
  static constexpr SparseProduct kProducts[] = {
      {"HMMA.SP.16816.F32 R0, R4, R8, RZ, R16, 0x3", 16, 16, 3, half, of_single},
      {"HMMA.SP.16816.F32.BF16 R0, R4, R8, RZ, R16, 0x1", 16, 16, 1, bfloat, of_single},
      {"HMMA.SP.16832.F32 R0, R4, R8, RZ, R16, 0x1", 32, 16, 1, half, of_single},
      {"HMMA.SP.16832.F32.BF16 R0, R4, R8, RZ, R16, 0x0", 32, 16, 0, bfloat, of_single},
      {"HMMA.SP.16816.F32.TF32 R0, R4, R8, RZ, R16, 0x1", 16, 32, 1, single, of_single},
      {"IMMA.SP.16832.S8.U8 R0, R4.ROW, R8.COL, RZ, R16, 0x1", 32, 8, 1, integer, of_integer},
      {"IMMA.SP.16864.U8.S8 R0, R4.ROW, R8.COL, RZ, R16, 0x0", 64, 8, 0, integer, of_integer},
  };
  for (const SparseProduct& product : kProducts) check_sparse(product);
}

}  // namespace sm70_sparse_matrix_test
}  // namespace shflsim::isa
