// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "isa/ptx/passes/simplify.h"

namespace shflsim::isa::ptx {

/// Whether a predicate that is read, its "!" left out, is known to be true or false.
using KnownPredicate = std::function<std::optional<bool>(const Term&)>;

/// Replaces a logic operation of two predicates, of which one is known, by a copy of the other or
/// of its negation.
void simplify_predicates(Line& line, const KnownPredicate& known);

/// What a comparison of numbers, or of predicates that are known, writes to its first result.
std::optional<bool> compared(const Line& line, const KnownOf& known,
                             const KnownPredicate& predicate);

}  // namespace shflsim::isa::ptx
