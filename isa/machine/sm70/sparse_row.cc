// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/sm70/sparse_row.h"

namespace shflsim::isa {
namespace {

constexpr unsigned kBitsOfFour = 4;  // two places of two bits
constexpr unsigned kHalfRows = 8;

/// The two places of a group of four elements. Lanes 4 * (row % 8) to 4 * (row % 8) + 3 have those
/// of a row and of the row eight below. A row of bytes has 16 fours, eight per lane. Larger
/// elements have eight fours, four per half of a lane's word; the selector chooses two lanes.
uint32_t places_of(const SourceOperand& word, unsigned row, unsigned four, bool are_bytes,
                   unsigned selector) {
  const unsigned lane = 4 * (row % kHalfRows), half = row / kHalfRows;
  if (are_bytes) return word[lane + half + four / 8 * 2] >> kBitsOfFour * (four % 8) & 15u;
  return word[lane + 2 * selector + four / 4] >> (16 * half + kBitsOfFour * (four % 4)) & 15u;
}

}  // namespace

SparseRows::SparseRows(const Execution& execution, unsigned element_bytes) {
  const SourceOperand word(execution, Role::kG);
  const bool are_bytes = element_bytes == 1;
  const unsigned fours = are_bytes ? 16 : 8;
  const Operand& second = execution.operand(Role::kH);
  const unsigned selector = second.is(Operand::Kind::kImmediate) ? second.value & 1u : 0;
  for (unsigned row = 0; row < kRows; ++row) {
    for (unsigned four = 0; four < fours; ++four) {
      const uint32_t two = places_of(word, row, four, are_bytes, selector);
      const auto first = static_cast<uint8_t>(4 * four + (two & 3u));
      if (element_bytes == 4) {
        rows_[row][four] = first / 2;
        continue;
      }
      rows_[row][2 * four] = first;
      rows_[row][2 * four + 1] = static_cast<uint8_t>(4 * four + (two >> 2));
    }
  }
}

}  // namespace shflsim::isa
