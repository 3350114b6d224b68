// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "isa/code.h"
#include "isa/input_error.h"

namespace shflsim::isa {

/// One instruction of a listing of Volta or later. The text gives the operation and its registers,
/// one read a register operand, wide ones once; the 128-bit word the control bits and SHFL's
/// operands. Throws InputError at `where` for a SHFL whose word is none.
CodeLine volta_line(const std::string& text, uint32_t address, uint64_t low, uint64_t high,
                    const Position& where);

}  // namespace shflsim::isa
