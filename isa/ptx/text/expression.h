// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/ptx/text/cursor.h"
#include "isa/ptx/text/syntax.h"

namespace shflsim::isa::ptx {

/// Where an expression may end: behind a whole one, or, between '<' and '>', in front of what
/// compares.
enum class Ending : uint8_t { kAny, kBeforeComparison };

/// Whether a number, or an expression of numbers, can begin here.
bool is_at_constant(const Cursor& at);
/// Reads what the PTX ISA calls a constant expression, from a number to `(1<<5)|3`, into the
/// operand's kind and value. Integers have 64 bits, signed or not. Throws InputError at the word
/// that is out of place, saying that `expected` was expected where none can begin.
void read_constant(Cursor* at, const std::string& expected, Operand* operand,
                   Ending ending = Ending::kAny);
/// Reads a size or count: an integer that is not negative.
uint64_t read_count(Cursor* at, const std::string& expected, Ending ending = Ending::kAny);

}  // namespace shflsim::isa::ptx
