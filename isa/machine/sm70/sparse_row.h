// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "isa/machine/execution.h"

namespace shflsim::isa {

/// True if the instruction's form has .SP.
bool is_sparse(const Instruction& instruction);

/// The elements of A's rows that a sparse product keeps (PTX: wgmma.mma_async.sp, mma.sp): two of
/// each four. Four bits of a lane's word name two of four places, or in TensorFloat-32 the two
/// halves of one of two elements. Measured on an H100 (tests/data/h100/hopper, the kernels
/// sparse_*).
class SparseRows {
 public:
  static constexpr unsigned kRows = 16;        ///< rows of a warp
  static constexpr unsigned kBytes = 32;       ///< bytes of a row that are kept, at most
  static constexpr unsigned kWholeBytes = 64;  ///< bytes of a whole row, and of a column of B
  using Places = std::array<uint8_t, kBytes>;

  /// Reads the places of the instruction's elements, which have 1, 2 or 4 bytes; a whole row has 32
  /// or 64.
  SparseRows(const Execution& execution, unsigned element_bytes, unsigned row_bytes = kWholeBytes);

  /// The places in the row of the kept elements, in order.
  const Places& places(unsigned row) const { return rows_[row]; }

 private:
  std::array<Places, kRows> rows_{};
};

/// The elements of B's columns that meet those of A's rows: in a sparse product those that the row
/// keeps.
template <class Element>
class MetColumns {
 public:
  /// `elements`: of column after column, each of `depth` elements.
  MetColumns(const Execution& execution, unsigned depth, unsigned element_bytes,
             std::vector<Element> elements)
      : depth_(depth), elements_(std::move(elements)) {
    if (is_sparse(execution.instruction))
      sparse_.emplace(execution, element_bytes, depth * element_bytes);
  }
  /// Valid until the next call.
  const Element* met(unsigned row, unsigned column) {
    const Element* const whole = &elements_[size_t{column} * depth_];
    if (!sparse_) return whole;
    for (unsigned k = 0; k < depth_ / 2; ++k) met_[k] = whole[sparse_->places(row)[k]];
    return met_.data();
  }

 private:
  unsigned depth_;
  std::vector<Element> elements_;
  std::optional<SparseRows> sparse_;
  std::array<Element, SparseRows::kBytes> met_{};
};

}  // namespace shflsim::isa
