// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "isa/machine/bit_tools.h"

namespace shflsim::isa {

/// Rounding of a result, in the order of the instructions' field (none, .RM, .RP, .RZ).
enum class Rounding : uint8_t { kNearest, kDown, kUp, kZero };

/// The 32-bit NaN that arithmetic returns; payloads are not kept.
constexpr uint32_t kNan32 = 0x7FFFFFFFu;
constexpr uint32_t kNan16 = 0x7FFF;

inline bool is_denormal(uint32_t bits) { return (bits & 0x7F800000u) == 0; }
/// Flushes a denormal to a zero of its sign.
inline uint32_t flush(uint32_t bits) { return is_denormal(bits) ? bits & 0x80000000u : bits; }
inline bool is_nan(uint32_t bits) { return (bits & 0x7FFFFFFFu) > 0x7F800000u; }

/// a * b + c in double precision, rounded to odd: the last bit is set if the result is inexact. A
/// further rounding to 24 bits or less is correct, since 53 bits are at least two more than twice
/// 24 (Boldo and Melquiond 2008). a * b and the sum's error term (Knuth's TwoSum) are exact.
inline double fused_to_odd(float a, float b, float c) {
  const double product = static_cast<double>(a) * static_cast<double>(b);
  const double addend = static_cast<double>(c);
  const double sum = product + addend;
  const double part = sum - product;
  const double error = (product - (sum - part)) + (addend - part);
  const uint64_t bits = bits_of(sum);
  const bool inexact = error > 0 || error < 0;
  const uint64_t away = (error > 0) == (sum > 0) ? 1 : ~uint64_t{0};
  const bool even = (bits & 1) == 0;
  return as_double(inexact && even ? bits + away : bits);
}

/// The float next to `value` towards zero or away from it; value is not a NaN.
inline float towards_zero(float value) { return as_float(bits_of(value) - 1); }
inline float away_from_zero(float value) { return as_float(bits_of(value) + 1); }

/// A double as float, in any direction; NaN stays NaN.
float round_to_float(double value, Rounding rounding);

/// A binary floating-point format: IEEE's half, single, double; bfloat16.
struct FloatFormat {
  unsigned exponent_bits;
  unsigned fraction_bits;
};
constexpr FloatFormat kHalfFormat{5, 10};
constexpr FloatFormat kBfloatFormat{8, 7};
constexpr FloatFormat kTensorFormat{8, 10};  // tf32: the upper 19 bits of a word
constexpr unsigned kBelowTensorFloat = 13;   // bits of the word below it
constexpr FloatFormat kSingleFormat{8, 23};
constexpr FloatFormat kDoubleFormat{11, 52};

/// A finite number: (-1)^negative * significand * 2^exponent.
struct Exact {
  bool negative = false;
  uint64_t significand = 0;
  int exponent = 0;
};

/// The bits of `value` in a format, rounded; denormals and overflow as in IEEE 754.
uint64_t pack(const Exact& value, const FloatFormat& format, Rounding rounding);

/// A value of a format, unpacked.
struct Unpacked {
  enum class Kind : uint8_t { kFinite, kInfinite, kNan } kind = Kind::kFinite;
  Exact value;  ///< the sign counts for all kinds
};
Unpacked unpack(uint64_t bits, const FloatFormat& format);

/// Rounds a finite number to an integer; returns its magnitude, and whether it exceeds 64 bits.
uint64_t round_to_integer(const Exact& value, Rounding rounding, bool* too_large);

}  // namespace shflsim::isa
