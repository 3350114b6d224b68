// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "isa/ptx/statements/lowering.h"

namespace shflsim::isa::ptx {

/// The value of a special register such as %tid.x, in 32 or 64 bits; none if the operand is not a
/// special register. Throws InputError for special registers that SPA 5.0 code cannot read.
std::optional<Term> special_value(Lowering& to, const Operand& from, Type type);

/// Moves the special register that operand 1 names to operand 0; false if it is not one.
bool move_special(Lowering& to, Type type);

/// The elements of %tid, %ntid, %ctaid or %nctaid as a vector; none if the operand names another
/// register.
std::optional<std::vector<Term>> special_vector(Lowering& to, const Operand& from);

}  // namespace shflsim::isa::ptx
