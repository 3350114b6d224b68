// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/machine/execution.h"

namespace shflsim::isa {

/// Every element of a matrix product depends on a row and a column, which many lanes hold: a mark
/// on any operand marks all of D.
void mark_product(Execution& execution);

/// HMMA.884.
void multiply_in_quad_pairs(Execution& execution);

}  // namespace shflsim::isa
