// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/machine/execution.h"

namespace shflsim::isa {

/// What a product of a group of warps takes of a row of A or a column of B: 32 bytes, whatever the
/// type of its elements.
using MatrixLine = std::array<uint8_t, 32>;

/// Where a matrix stands in shared memory (PTX ISA, "Matrix descriptor" of wgmma). Pieces of 16
/// bytes stand alone, or in rows of 32, 64 or 128 bytes whose pieces are exchanged. Measured on an
/// H100 with 2,800 random descriptors: all fields count in units of 16 bytes, bits that no field
/// names do not count, and the row that a piece is exchanged by is that of its address (bits 9:7)
/// less the base offset.
class SharedMatrix {
 public:
  explicit SharedMatrix(uint64_t descriptor);

  /// Of a matrix whose lines are contiguous: bytes 16 * index and up of a line.
  uint32_t piece(unsigned line, unsigned index) const;
  /// Of a transposed matrix of 16-bit elements: element k of eight lines from 8 * group on.
  uint32_t transposed_piece(unsigned group, unsigned k) const;

 private:
  uint32_t exchanged(uint32_t address) const;

  uint32_t start_;
  uint32_t leading_;  ///< bytes
  uint32_t stride_;   ///< bytes
  uint32_t base_offset_;
  uint32_t row_;  ///< bytes of a row; 16: a piece alone
};

/// `count` lines from `first` on, read; `marks` receives the marks of the bytes. Of lines longer
/// than 32 bytes, `part` says which 32.
std::vector<MatrixLine> read_shared_matrix(Execution& execution, uint64_t descriptor,
                                           bool is_transposed, unsigned first, unsigned count,
                                           uint8_t* marks, unsigned part = 0);

}  // namespace shflsim::isa
