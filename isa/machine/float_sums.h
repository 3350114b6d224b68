// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace shflsim::isa {

// The sums of the half and double units for the bits of two operands, rounded to nearest even, with
// denormals kept: for the atomics, which have separate adders at the memory.

/// DADD's sum. If an operand is NaN, the result is the first operand that is NaN, quieted.
uint64_t double_sum(uint64_t a, uint64_t b);

/// HADD2's sum: two halves per word.
uint32_t half_pair_sum(uint32_t a, uint32_t b);

}  // namespace shflsim::isa
