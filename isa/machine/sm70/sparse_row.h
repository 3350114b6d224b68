// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "isa/machine/execution.h"

namespace shflsim::isa {

/// The elements of A's rows that a sparse product keeps (PTX: wgmma.mma_async.sp): two of each
/// four. Four bits of a lane's word name two of four places, or in TensorFloat-32 the two halves of
/// one of two elements. Measured on an H100 (tests/data/h100/hopper, the kernels sparse_*).
class SparseRows {
 public:
  static constexpr unsigned kRows = 16;        ///< rows of a warp
  static constexpr unsigned kBytes = 32;       ///< bytes of a row that are kept
  static constexpr unsigned kWholeBytes = 64;  ///< bytes of a whole row, and of a column of B
  using Places = std::array<uint8_t, kBytes>;

  /// Reads the places of the instruction's elements, which have 1, 2 or 4 bytes.
  SparseRows(const Execution& execution, unsigned element_bytes);

  /// The places in the row of the kept elements, in order.
  const Places& places(unsigned row) const { return rows_[row]; }

 private:
  std::array<Places, kRows> rows_{};
};

}  // namespace shflsim::isa
