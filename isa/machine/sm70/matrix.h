// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/machine/execution.h"

namespace shflsim::isa {

/// Every element of a matrix product depends on a row and a column, which many lanes hold: a mark
/// of any operand, or of a factor in memory, marks all of D.
void mark_product(Execution& execution, uint8_t in_memory = 0);

/// A sum of products in 32 bits: truncated, or clamped to the range.
uint32_t integer_sum(int64_t sum, bool saturates);

/// HMMA.884.
void multiply_in_quad_pairs(Execution& execution);

}  // namespace shflsim::isa
