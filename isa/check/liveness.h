// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "isa/check/effects.h"
#include "isa/code/program.h"

namespace shflsim::isa {

/// Bit n: Pn; bit 8 + n: UPn.
using PredicateSet = uint16_t;
constexpr unsigned kUniformPredicates = 8;
PredicateSet predicates_of(const std::vector<Resource>& resources);

/// For each instruction the predicates that something behind it may read before they
/// are written again, on any path through the code. Where a jump goes to a computed address, all of
/// them.
std::vector<PredicateSet> predicates_read_later(const Program& program);

}  // namespace shflsim::isa
