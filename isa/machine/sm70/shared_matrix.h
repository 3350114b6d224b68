// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/machine/execution.h"

namespace shflsim::isa {

/// The part of a row of A or a column of B that a product of a group of warps reads: 32 bytes for
/// all types of elements.
using MatrixLine = std::array<uint8_t, 32>;

/// The layout of a matrix in shared memory (PTX ISA, "Matrix descriptor" of wgmma). Pieces of 16
/// bytes are separate, or they are in swizzled rows of 32, 64 or 128 bytes. Measured on an H100
/// with 2,800 random descriptors: all fields count in units of 16 bytes, bits that no field names
/// are ignored, and a piece is swizzled by the row of its address (bits 9:7) minus the base
/// offset.
class SharedMatrix {
 public:
  explicit SharedMatrix(uint64_t descriptor);

  /// Address of bytes 16 * index and up of a line, if the matrix's lines are contiguous.
  uint32_t piece(unsigned line, unsigned index) const;
  /// Address of element k of eight lines from 8 * group on; transposed matrix, 16-bit elements.
  uint32_t transposed_piece(unsigned group, unsigned k) const;

 private:
  uint32_t exchanged(uint32_t address) const;

  uint32_t start_;
  uint32_t leading_;  ///< bytes
  uint32_t stride_;   ///< bytes
  uint32_t base_offset_;
  uint32_t row_;  ///< bytes of a row; 16: separate pieces
};

/// Reads `count` lines from `first` on; `marks` receives the marks of the bytes. If lines are
/// longer than 32 bytes, `part` selects 32 of them.
std::vector<MatrixLine> read_shared_matrix(Execution& execution, uint64_t descriptor,
                                           bool is_transposed, unsigned first, unsigned count,
                                           uint8_t* marks, unsigned part = 0);

}  // namespace shflsim::isa
