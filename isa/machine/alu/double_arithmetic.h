// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/machine/rounding.h"

namespace shflsim::isa {

/// Double-precision arithmetic of IEEE 754, rounded once in the given direction.
double add_rounded(double a, double b, Rounding rounding);
double multiply_rounded(double a, double b, Rounding rounding);
double fused_rounded(double a, double b, double c, Rounding rounding);

}  // namespace shflsim::isa
