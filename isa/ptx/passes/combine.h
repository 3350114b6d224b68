// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "isa/ptx/passes/simplify.h"

namespace shflsim::isa::ptx {

/// What is known of a line's operands.
struct Operands {
  KnownOf known;
  /// The line that an operand's value was made by, where what that line reads still holds; nullptr
  /// if there is none.
  std::function<const Line*(const Term&)> made_by;
  /// Whether nothing else reads the operand, so that its line is not needed any more.
  std::function<bool(const Term&)> is_read_once;
};

/// Replaces the line by an instruction that also does what one of its operands' lines does: ISCADD,
/// IADD3, LOP3, LOP with a predicate, a comparison and a logic operation, a minimum or maximum by a
/// predicate, SHR, signs of floats. The operand's line stays, and is dropped later if it is unused.
void combine(Line& line, const Operands& operands);

/// The combinations of operations on bits.
void combine_logic(Line& line, const Operands& operands);

/// The line with another operation and operands, where there is a word for that.
bool become(Line& line, const Operation& operation, std::vector<Term> terms);
bool is_same(const Term& a, const Term& b);
/// A LOP of two operands that writes nothing but its result.
bool is_logic(const Line& line);
/// A comparison that writes one predicate and depends on no other.
bool is_plain_comparison(const Line& line);

}  // namespace shflsim::isa::ptx
