// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/rounding.h"

#include <algorithm>
#include <cmath>

namespace shflsim::isa {
namespace {

uint64_t low_bits(unsigned count) {
  return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

/// True if a truncated magnitude has to be rounded up: `half` is the first dropped bit, `rest` says
/// whether any later one is set.
bool rounds_up(bool negative, bool odd, bool half, bool rest, Rounding rounding) {
  switch (rounding) {
    case Rounding::kNearest: return half && (rest || odd);
    case Rounding::kDown: return negative && (half || rest);
    case Rounding::kUp: return !negative && (half || rest);
    default: return false;
  }
}

/// `significand` without its `count` lowest bits, rounded.
uint64_t shift_right(bool negative, uint64_t significand, unsigned count, Rounding rounding) {
  if (count == 0) return significand;
  const uint64_t kept = count >= 64 ? 0 : significand >> count;
  const bool half = count <= 64 && ((significand >> (count - 1)) & 1) != 0;
  const bool rest = (significand & low_bits(count - 1)) != 0;
  return kept + (rounds_up(negative, (kept & 1) != 0, half, rest, rounding) ? 1 : 0);
}

uint64_t overflowed(bool negative, const FloatFormat& format, Rounding rounding) {
  const uint64_t infinity = low_bits(format.exponent_bits) << format.fraction_bits;
  const bool to_infinity = rounding == Rounding::kNearest ||
                           (rounding == Rounding::kDown && negative) ||
                           (rounding == Rounding::kUp && !negative);
  return to_infinity ? infinity : infinity - 1;
}

}  // namespace

float round_to_float(double value, Rounding rounding) {
  const float nearest = static_cast<float>(value);
  const double back = static_cast<double>(nearest);
  if (rounding == Rounding::kNearest || back == value || value != value) return nearest;
  const bool above = back > value;
  const bool negative = std::signbit(value);
  const bool wants_above = rounding == Rounding::kUp || (rounding == Rounding::kZero && negative);
  if (above == wants_above) return nearest;
  // Towards zero is down for positive numbers and up for negative ones.
  return above != negative ? towards_zero(nearest) : away_from_zero(nearest);
}

uint64_t pack(const Exact& value, const FloatFormat& format, Rounding rounding) {
  const uint64_t sign = uint64_t{value.negative} << (format.exponent_bits + format.fraction_bits);
  if (value.significand == 0) return sign;
  const int bias = static_cast<int>(low_bits(format.exponent_bits - 1));
  const int top = 63 - __builtin_clzll(value.significand);
  const int fraction = static_cast<int>(format.fraction_bits);
  // The exponent of the result's last place; denormals all share the smallest.
  const int last = std::max(value.exponent + top - fraction, 1 - bias - fraction);
  const int drop = last - value.exponent;
  const uint64_t kept = drop <= 0
                            ? value.significand << -drop
                            : shift_right(value.negative, value.significand,
                                          static_cast<unsigned>(std::min(drop, 65)), rounding);
  // Adding the fraction to the exponent field lets a carry run into it.
  const uint64_t exponent_field = static_cast<uint64_t>(last + fraction + bias - 1);
  const uint64_t bits = (exponent_field << format.fraction_bits) + kept;
  const uint64_t infinity = low_bits(format.exponent_bits) << format.fraction_bits;
  return sign | (bits >= infinity ? overflowed(value.negative, format, rounding) : bits);
}

Unpacked unpack(uint64_t bits, const FloatFormat& format) {
  Unpacked out;
  const uint64_t fraction = bits & low_bits(format.fraction_bits);
  const uint64_t exponent = (bits >> format.fraction_bits) & low_bits(format.exponent_bits);
  const int bias = static_cast<int>(low_bits(format.exponent_bits - 1));
  out.value.negative = ((bits >> (format.exponent_bits + format.fraction_bits)) & 1) != 0;
  if (exponent == low_bits(format.exponent_bits)) {
    out.kind = fraction == 0 ? Unpacked::Kind::kInfinite : Unpacked::Kind::kNan;
    return out;
  }
  const bool normal = exponent != 0;
  out.value.significand = fraction | (normal ? uint64_t{1} << format.fraction_bits : 0);
  out.value.exponent =
      (normal ? static_cast<int>(exponent) : 1) - bias - static_cast<int>(format.fraction_bits);
  return out;
}

uint64_t round_to_integer(const Exact& value, Rounding rounding, bool* too_large) {
  *too_large = false;
  if (value.significand == 0) return 0;
  if (value.exponent < 0) {
    return shift_right(value.negative, value.significand,
                       static_cast<unsigned>(std::min(-value.exponent, 65)), rounding);
  }
  *too_large = value.exponent > __builtin_clzll(value.significand);
  return *too_large ? 0 : value.significand << value.exponent;
}

}  // namespace shflsim::isa
