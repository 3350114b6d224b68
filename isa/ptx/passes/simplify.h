// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "isa/ptx/lines/values.h"

namespace shflsim::isa::ptx {

/// What is known of an operand; nullptr if it is no 32-bit register that is read.
using KnownOf = std::function<const Value*(const Term&)>;

/// The number that the text of an operand stands for, its sign included; RZ is 0.
std::optional<uint32_t> number_of(const Term& term);

/// The number that an operand is, as text or in a register, its sign included.
std::optional<uint32_t> number_in(const Term& term, const KnownOf& known);
/// The line's result is the operand.
void become_move(Line& line, Term from);
Term number_term(uint32_t value);

/// x + 0, x & 0 and their like become a MOV; short factors and
/// shifts of what is known take fewer instructions.
void simplify(Line& line, const KnownOf& known);

/// Registers that hold a number or a word of a constant bank become that operand, where the
/// instruction has a form for it.
void fold_operands(Line& line, const KnownOf& known);

}  // namespace shflsim::isa::ptx
