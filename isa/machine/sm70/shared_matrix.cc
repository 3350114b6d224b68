// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/sm70/shared_matrix.h"

#include <cstring>

#include "isa/machine/address_space.h"

namespace shflsim::isa {
namespace {

constexpr unsigned kPiece = 16;  // bytes
constexpr uint32_t kSharedAddresses = 1u << 18;

uint32_t bytes_at(uint64_t descriptor, unsigned bit) {
  return static_cast<uint32_t>(descriptor >> bit & 0x3FFFu) * kPiece;
}

uint32_t row_of_mode(uint64_t descriptor) {
  static constexpr uint32_t kRowOfMode[] = {16, 128, 64, 32};  // by bits 63:62
  return kRowOfMode[descriptor >> 62];
}

void read_piece(Execution& execution, uint32_t address, uint8_t* to, uint8_t* marks) {
  // a descriptor has no field for a block's rank: it means the block's own memory
  const Access access = locate(execution, Space::kShared, execution.block.shared_base + address,
                               kPiece, first_lane(execution));
  access.storage->read(access.offset, to, kPiece);
  *marks = static_cast<uint8_t>(*marks | access.storage->marks(access.offset, kPiece));
}

}  // namespace

SharedMatrix::SharedMatrix(uint64_t descriptor)
    : start_(bytes_at(descriptor, 0)),
      leading_(bytes_at(descriptor, 16)),
      stride_(bytes_at(descriptor, 32)),
      base_offset_(static_cast<uint32_t>(descriptor >> 49) & 7u),
      row_(row_of_mode(descriptor)) {}

uint32_t SharedMatrix::exchanged(uint32_t address) const {
  const uint32_t pieces = row_ / kPiece - 1;  // as a mask
  const uint32_t row = (address >> 7) - base_offset_;
  return (address ^ (row & pieces) * kPiece) % kSharedAddresses;
}

uint32_t SharedMatrix::piece(unsigned line, unsigned index) const {
  const uint32_t next = row_ == kPiece ? leading_ : kPiece;
  return exchanged(start_ + line % 8 * row_ + line / 8 * stride_ + index * next);
}

uint32_t SharedMatrix::transposed_piece(unsigned group, unsigned k) const {
  if (row_ == kPiece)
    return exchanged(start_ + group * stride_ + k / 8 * leading_ + k % 8 * kPiece);
  const uint32_t in_row = row_ / kPiece;
  return exchanged(start_ + group % in_row * kPiece + group / in_row * leading_ + k % 8 * row_ +
                   k / 8 * stride_);
}

std::vector<MatrixLine> read_shared_matrix(Execution& execution, uint64_t descriptor,
                                           bool is_transposed, unsigned first, unsigned count,
                                           uint8_t* marks, unsigned part) {
  const SharedMatrix matrix(descriptor);
  std::vector<MatrixLine> lines(count);
  if (!is_transposed) {
    for (unsigned i = 0; i < count; ++i)
      for (unsigned half = 0; half < 2; ++half)
        read_piece(execution, matrix.piece(first + i, 2 * part + half), &lines[i][half * kPiece],
                   marks);
    return lines;
  }
  constexpr unsigned kSteps = 16, kElement = 2;  // only 16-bit elements can be transposed
  for (unsigned group = 0; group < count / 8; ++group) {
    for (unsigned k = 0; k < kSteps; ++k) {
      uint8_t piece[kPiece];
      read_piece(execution, matrix.transposed_piece(first / 8 + group, kSteps * part + k), piece,
                 marks);
      for (unsigned i = 0; i < 8; ++i)
        std::memcpy(&lines[8 * group + i][kElement * k], piece + kElement * i, kElement);
    }
  }
  return lines;
}

}  // namespace shflsim::isa
