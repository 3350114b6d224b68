// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/ptx/lines/lines.h"

namespace shflsim::isa::ptx {

/// Where a line's word is to stand, and what its registers and its target are.
struct Placement {
  const std::vector<uint8_t>& numbers;  ///< the register or predicate of each virtual one
  uint32_t address = 0;
  int64_t target = -1;  ///< an address; -1: unknown
};

/// The line's word; none if no row of the opcode table has its operation and operands.
std::optional<uint64_t> word_of(const Line& line, const Placement& placement);
/// Whether the line can be encoded with some registers.
bool has_word(const Line& line);
/// Whether the operation takes operands of these kinds, of any value. True for calls and returns,
/// whose operands are what they pass, and for operations that are not in the opcode table.
bool has_form(const Line& line);

/// ".H1"; "" for all of a register.
const char* name_of_piece(Piece piece);

}  // namespace shflsim::isa::ptx
