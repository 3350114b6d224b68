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

/// For each instruction the predicates that are live after it: on some path a later instruction
/// may read them before they are written again. All predicates are live at a jump to a computed
/// address.
std::vector<PredicateSet> predicates_read_later(const Program& program);

}  // namespace shflsim::isa
