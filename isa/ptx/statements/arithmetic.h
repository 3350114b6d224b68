// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/ptx/statements/lowering.h"

namespace shflsim::isa::ptx {

/// Functions for both sums and products.

/// The suffix of a float operation, such as ".FTZ.RZ.SAT", by the statement's modifiers.
std::string float_suffix(Modifiers& modifiers, Type type);
[[noreturn]] void fail_type(const Lowering& to, const char* expected);
/// The next type; throws InputError for less than 16 bits, or for floats less than 32.
Type arithmetic_type(Lowering& to, Modifiers& modifiers);

/// The role of a sum in a longer one: whether it adds the carry, and whether it writes a carry.
struct Chain {
  bool takes = false;
  bool leaves = false;
};

/// d = a + b, or a - b, of 64-bit integers.
void add_pairs(Lowering& to, const Term& d, const Term& a, const Term& b, bool subtracts,
               Chain chain = {});

}  // namespace shflsim::isa::ptx
