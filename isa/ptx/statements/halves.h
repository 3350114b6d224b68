// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/ptx/statements/lowering.h"

namespace shflsim::isa::ptx {

/// How an operand of HADD2 and similar operations selects halves of a register. A single half is
/// the lower one, used twice; the upper half of its register is ignored.
constexpr Piece kLowerHalf = Piece::kLowerHalfTwice;
constexpr Piece kBothHalves = Piece::kAll;

/// Takes the type .f16 or .f16x2. Throws InputError if the text's target has no half arithmetic.
Piece take_halves(Lowering& to, Modifiers& modifiers);
Term half_source(Lowering& to, size_t operand, Piece halves);

}  // namespace shflsim::isa::ptx
