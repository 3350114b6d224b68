// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "isa/ptx/lines/values.h"

namespace shflsim::isa::ptx {

/// What is known about an operand; nullptr if it is not a 32-bit register that is read.
using KnownOf = std::function<const Value*(const Term&)>;

/// The number that an operand is, with its sign; RZ is 0. None if it is not a number.
std::optional<uint32_t> number_of(const Term& term);

/// The value of an operand, with its sign, if it is a number or a register with a known number.
std::optional<uint32_t> number_in(const Term& term, const KnownOf& known);
/// Replaces the line by a move of the operand.
void become_move(Line& line, Term from);
Term number_term(uint32_t value);

/// Replaces x + 0, x & 0 and similar by a MOV; simplifies products with short factors
/// and shifts of known values.
void simplify(Line& line, const KnownOf& known);

/// Replaces registers that hold a number or a word of a constant bank by that operand, if the
/// instruction has a form for it.
void fold_operands(Line& line, const KnownOf& known);

}  // namespace shflsim::isa::ptx
