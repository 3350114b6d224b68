// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/ptx/lines/lines.h"

namespace shflsim::isa::ptx {

/// The address of a line's word, and the numbers of its registers and its target.
struct Placement {
  const std::vector<uint8_t>& numbers;  ///< the register or predicate of each virtual one
  uint32_t address = 0;
  int64_t target = -1;  ///< an address; -1: unknown
};

/// The line's word; none if no row of the opcode table has its operation and operands.
std::optional<uint64_t> word_of(const Line& line, const Placement& placement);
/// True if the line can be encoded, with some choice of registers.
bool has_word(const Line& line);
/// True if the operation takes operands of these kinds, with any values. True for calls and
/// returns, whose operands are passed words, and for operations that are not in the opcode table.
bool has_form(const Line& line);

/// The name of a piece: ".H1"; "" for a whole register.
const char* name_of_piece(Piece piece);

}  // namespace shflsim::isa::ptx
