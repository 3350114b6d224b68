// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>

#include "isa/machine/rounding.h"

namespace shflsim::isa {

/// Double-precision arithmetic of IEEE 754, rounded once in the given direction.
double add_rounded(double a, double b, Rounding rounding);
double multiply_rounded(double a, double b, Rounding rounding);
double fused_rounded(double a, double b, double c, Rounding rounding);

/// A double as an operand, its absolute value, then its negative; a NaN stays unchanged (measured:
/// H200).
double as_operand(uint64_t bits, bool absolute, bool negate);

/// An operation's result: the first of these operands that is NaN, quieted, else `result`;
/// 0xFFF8... if that is NaN (measured: H200).
double with_nan(double result, std::initializer_list<double> operands);

}  // namespace shflsim::isa
