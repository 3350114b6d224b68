// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/sm70/sparse_row.h"

#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

constexpr unsigned kBitsOfFour = 4;  // two places of two bits
constexpr unsigned kHalfRows = 8;

/// The two places of a group of four elements. Lanes 4 * (row % 8) to 4 * (row % 8) + 3 have those
/// of a row and of the row eight below. A lane has eight fours of a row of bytes, and of larger
/// elements four in each half of its word. Where the `fours` of a row are in fewer lanes, the
/// selector chooses them.
uint32_t places_of(const SourceOperand& word, unsigned row, unsigned four, unsigned fours,
                   bool are_bytes, unsigned selector) {
  const unsigned lane = 4 * (row % kHalfRows), half = row / kHalfRows;
  if (are_bytes) {
    const unsigned first = fours == 8 ? 2 * (selector % 2) : 0;
    return word[lane + first + half + four / 8 * 2] >> kBitsOfFour * (four % 8) & 15u;
  }
  const unsigned lanes = fours / 4, first = selector * lanes % 4;
  return word[lane + first + four / 4] >> (16 * half + kBitsOfFour * (four % 4)) & 15u;
}

}  // namespace

bool is_sparse(const Instruction& instruction) { return form_says(instruction, ".SP"); }

SparseRows::SparseRows(const Execution& execution, unsigned element_bytes, unsigned row_bytes) {
  const SourceOperand word(execution, Role::kG);
  const bool are_bytes = element_bytes == 1;
  const unsigned fours = row_bytes / (are_bytes ? 4 : 8);
  const Operand& second = execution.operand(Role::kH);
  const unsigned selector =
      second.is(Operand::Kind::kImmediate) ? static_cast<unsigned>(second.value) : 0;
  for (unsigned row = 0; row < kRows; ++row) {
    for (unsigned four = 0; four < fours; ++four) {
      const uint32_t two = places_of(word, row, four, fours, are_bytes, selector);
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
