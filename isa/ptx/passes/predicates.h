// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "isa/ptx/passes/simplify.h"

namespace shflsim::isa::ptx {

/// The value of a predicate operand, ignoring its "!"; none if unknown.
using KnownPredicate = std::function<std::optional<bool>(const Term&)>;

/// Replaces a logic operation of two predicates, of which one is known, by a copy of the other or
/// of the other's negation.
void simplify_predicates(Line& line, const KnownPredicate& known);

/// The first result of a comparison of numbers, or of known predicates; none if unknown.
std::optional<bool> compared(const Line& line, const KnownOf& known,
                             const KnownPredicate& predicate);

}  // namespace shflsim::isa::ptx
