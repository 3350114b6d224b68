// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace shflsim::isa {

/// Functions of the special function unit, by their numbers in MUFU's word.
enum class SpecialFunction : uint8_t {
  kCos,  ///< of turns, not radians
  kSin,  ///< of turns, not radians
  kExp2,
  kLog2,
  kReciprocal,
  kReciprocalRoot,
  kReciprocal64,      ///< from and to the upper word of a double
  kReciprocalRoot64,  ///< from and to the upper word of a double
  kRoot,
  kTangent  ///< hyperbolic tangent
};

/// The result for a float or the upper word of a double, bit for bit as on an H100 (measured: all
/// 2^32 arguments of each function; other chips: assumed). Denormal arguments and results are 0,
/// but for the tangent; a NaN is 0x7FFFFFFF.
///
/// The unit interpolates. The upper bits of the argument select a row of a table: C0 of 26 bits, C1
/// of 16 bits, C2 of 10 or 11 bits. The 17 bits X below give C0 + C1 X + C2 X^2, where the squarer
/// leaves out partial products below 2^-15. The sum is truncated. (Structure: S. Oberman, M. Siu,
/// "A High-Performance Area-Efficient Multifunction Interpolator", ARITH 2005.)
uint32_t special_value(SpecialFunction function, uint32_t bits);

}  // namespace shflsim::isa
