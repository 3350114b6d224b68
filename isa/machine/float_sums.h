// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace shflsim::isa {

// What the adders of the float and double units give for the bits of two operands, rounded to
// nearest even, denormals kept: for the atomics, which have adders of their own at the memory.

/// As DADD: a NaN among the operands goes before the sum, a's first.
uint64_t double_sum(uint64_t a, uint64_t b);

/// As HADD2: two halves a word.
uint32_t half_pair_sum(uint32_t a, uint32_t b);

}  // namespace shflsim::isa
