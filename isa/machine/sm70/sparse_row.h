// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "isa/machine/execution.h"

namespace shflsim::isa {

/// Which elements a sparse product keeps of A's rows (PTX: wgmma.mma_async.sp): of each four two.
/// Four bits of a lane's word name two of four places; of TensorFloat-32, which keeps one of two,
/// they name its halves. Measured on an H100 (tests/data/h100/hopper, the kernels sparse_*).
class SparseRows {
 public:
  static constexpr unsigned kRows = 16;        ///< of a warp
  static constexpr unsigned kBytes = 32;       ///< kept of a row
  static constexpr unsigned kWholeBytes = 64;  ///< of a row, and of a column of B
  using Places = std::array<uint8_t, kBytes>;

  /// Of the instruction's elements, of 1, 2 or 4 bytes.
  SparseRows(const Execution& execution, unsigned element_bytes);

  /// Where the elements kept stand in the row, in order.
  const Places& places(unsigned row) const { return rows_[row]; }

 private:
  std::array<Places, kRows> rows_{};
};

}  // namespace shflsim::isa
