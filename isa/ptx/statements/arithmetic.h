// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/ptx/statements/lowering.h"

namespace shflsim::isa::ptx {

/// What sums and products have in common.

/// ".FTZ.RZ.SAT", as far as the statement says so.
std::string float_suffix(Modifiers& modifiers, Type type);
[[noreturn]] void fail_type(const Lowering& to, const char* expected);
/// The next type; throws InputError for less than 16 bits, or 32 of a float.
Type arithmetic_type(Lowering& to, Modifiers& modifiers);

/// The part of a sum in a longer one: whether it adds the carry, and whether it writes one.
struct Chain {
  bool takes = false;
  bool leaves = false;
};

/// d = a + b, or a - b, of 64-bit integers.
void add_pairs(Lowering& to, const Term& d, const Term& a, const Term& b, bool subtracts,
               Chain chain = {});

}  // namespace shflsim::isa::ptx
