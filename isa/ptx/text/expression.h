// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/ptx/text/cursor.h"
#include "isa/ptx/text/syntax.h"

namespace shflsim::isa::ptx {

/// Where an expression may end: after a complete expression, or between '<' and '>' before a
/// comparison operator.
enum class Ending : uint8_t { kAny, kBeforeComparison };

/// True if a number, or an expression of numbers, can begin here.
bool is_at_constant(const Cursor& at);
/// Reads a constant expression of the PTX ISA, from a number to `(1<<5)|3`, into the operand's kind
/// and value. Integers have 64 bits, signed or not. Throws InputError at the wrong word; it
/// says that `expected` was expected if no expression can begin here.
void read_constant(Cursor* at, const std::string& expected, Operand* operand,
                   Ending ending = Ending::kAny);
/// Reads a size or count: an integer that is not negative.
uint64_t read_count(Cursor* at, const std::string& expected, Ending ending = Ending::kAny);

}  // namespace shflsim::isa::ptx
