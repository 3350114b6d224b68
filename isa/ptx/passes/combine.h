// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "isa/ptx/passes/simplify.h"

namespace shflsim::isa::ptx {

/// Knowledge about a line's operands.
struct Operands {
  KnownOf known;
  /// The line that has computed an operand's value, if that line's operands are unchanged; nullptr
  /// if there is none.
  std::function<const Line*(const Term&)> made_by;
  /// True if nothing else reads the operand, so that its line is not needed any more.
  std::function<bool(const Term&)> is_read_once;
};

/// Replaces the line by an instruction that also does the work of an operand's line: ISCADD,
/// IADD3, LOP3, LOP with a predicate, a comparison and a logic operation, a minimum or maximum by a
/// predicate, SHR, signs of floats. The operand's line is kept, and is removed later if unused.
void combine(Line& line, const Operands& operands);

/// The combinations of operations on bits.
void combine_logic(Line& line, const Operands& operands);

/// Gives the line another operation and operands; false if that cannot be encoded.
bool become(Line& line, const Operation& operation, std::vector<Term> terms);
bool is_same(const Term& a, const Term& b);
/// True for a LOP of two operands that writes only its result.
bool is_logic(const Line& line);
/// True for a comparison that writes one predicate and reads none.
bool is_plain_comparison(const Line& line);

}  // namespace shflsim::isa::ptx
