// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/alu/special_values.h"

namespace shflsim::isa {
namespace {

/// Coefficients of an interpolation, in units of the function's InterpolationScale.
struct InterpolationRow {
  int32_t c0;
  int32_t c1;
  int32_t c2;
};

#include "isa/machine/alu/special_tables.inc"

/// The shifts of a function's coefficients, and its rounding constant, in units of 2^-41.
struct InterpolationScale {
  unsigned c0;
  unsigned c1;
  unsigned c2;
  int32_t rounding;
};

constexpr InterpolationScale kExp2Scale = {16, 3, 3, 48912};
constexpr InterpolationScale kLog2Scale = {15, 3, 4, 6696};
constexpr InterpolationScale kReciprocalScale = {15, 1, 2, 8092};
constexpr InterpolationScale kReciprocalRootScale = {15, 1, 2, -1};
constexpr InterpolationScale kRootScale = {16, 1, 2, -2};
constexpr InterpolationScale kSineScale = {16, 4, 4, 0};
constexpr InterpolationScale kTangentScale = {17, 2, 3, 0};

constexpr unsigned kLowBits = 17;  // bits of an argument below those that select the row
constexpr uint32_t kLowMask = (1u << kLowBits) - 1;
constexpr int kSumPlaces = 41;  // binary places of sums
constexpr int64_t kUnity = int64_t{1} << kSumPlaces;
constexpr uint32_t kFloatFraction = 0x7FFFFF;
constexpr uint32_t kFloatInfinity = 0x7F800000;
constexpr uint32_t kFloatNan = 0x7FFFFFFF;
constexpr uint32_t kFloatSign = 0x80000000;

/// x^2 in units of 2^-15, for x in units of 2^-17. A product of two different bits of x counts
/// twice; products below 2^-15 are left out.
int64_t truncated_square(uint32_t x) {
  uint32_t sum = 0;
  for (unsigned place = 1; place <= 7; ++place) {  // the bit of weight 2^-place
    const unsigned below = kLowBits - place;
    if ((x >> below & 1) != 0)
      sum += (1u << (15 - 2 * place)) + ((x & ((1u << below) - 1)) >> (place + 1));
  }
  return sum;
}

/// The interpolated value in units of 2^-41; `low` is in units of 2^-17.
int64_t interpolated(const InterpolationRow& row, const InterpolationScale& scale, uint32_t low) {
  return int64_t{row.c0} * (int64_t{1} << scale.c0) +
         int64_t{row.c1} * int64_t{low} * (int64_t{1} << scale.c1) +
         int64_t{row.c2} * truncated_square(low) * (int64_t{1} << scale.c2) + scale.rounding;
}

/// Logarithms and tangents keep 36 of the 41 places.
int64_t without_low_places(int64_t sum) { return sum & ~int64_t{31}; }

/// `sum` * 2^-41 * 2^exponent as a float, truncated; 0 if it is below the least normal one.
uint32_t packed(int64_t sum, int exponent) {
  if (sum == 0) return 0;
  const auto magnitude = static_cast<uint64_t>(sum);
  const int top = 63 - __builtin_clzll(magnitude);
  const int biased = top - kSumPlaces + exponent + 127;
  if (biased <= 0) return 0;
  if (biased >= 255) return kFloatInfinity;
  const uint64_t mantissa = top >= 23 ? magnitude >> (top - 23) : magnitude << (23 - top);
  return static_cast<uint32_t>(biased) << 23 | (static_cast<uint32_t>(mantissa) & kFloatFraction);
}

int exponent_of(uint32_t bits) { return static_cast<int>(bits >> 23 & 0xFF) - 127; }

/// The magnitude of a float below 2^38 in units of 2^-`places`, truncated.
uint64_t in_fixed_point(uint32_t bits, int places) {
  const uint64_t mantissa = (bits & kFloatFraction) | 0x800000;
  const int shift = exponent_of(bits) - 23 + places;
  if (shift >= 0) return mantissa << shift;
  return shift <= -64 ? 0 : mantissa >> -shift;
}

uint32_t exp2_value(uint32_t bits) {
  const bool negative = (bits & kFloatSign) != 0;
  if (exponent_of(bits) >= 8) return negative ? 0 : kFloatInfinity;
  const auto magnitude = static_cast<int64_t>(in_fixed_point(bits, 23));
  // The fraction of a negative argument is complemented without adding 1.
  const bool is_whole = (magnitude & kFloatFraction) == 0;
  const int64_t x = !negative ? magnitude : is_whole ? -magnitude : ~magnitude;
  const auto fraction = static_cast<uint32_t>(x & kFloatFraction);
  return packed(interpolated(kExp2Rows[fraction >> kLowBits], kExp2Scale, fraction & kLowMask),
                static_cast<int>(x >> 23));
}

uint32_t log2_value(uint32_t bits) {
  if ((bits & ~kFloatSign) == 0) return kFloatSign | kFloatInfinity;
  if ((bits & kFloatSign) != 0) return kFloatNan;
  if (bits == kFloatInfinity) return bits;
  if (bits == 0x3F800000) return 0;
  const uint32_t fraction = bits & kFloatFraction;
  const int64_t sum = exponent_of(bits) * kUnity +
                      without_low_places(interpolated(kLog2Rows[fraction >> kLowBits], kLog2Scale,
                                                      fraction & kLowMask));
  // A negative sum is complemented without adding 1.
  return sum < 0 ? kFloatSign | packed(without_low_places(~sum), 0) : packed(sum, 0);
}

uint32_t reciprocal_value(uint32_t bits) {
  const uint32_t sign = bits & kFloatSign;
  const uint32_t magnitude = bits & ~kFloatSign;
  if (magnitude == 0) return sign | kFloatInfinity;
  if (magnitude == kFloatInfinity) return sign;
  const uint32_t fraction = bits & kFloatFraction;
  return sign | packed(interpolated(kReciprocalRows[fraction >> (kLowBits - 1)], kReciprocalScale,
                                    fraction << 1 & kLowMask),
                       -exponent_of(bits));
}

/// The lowest bit of the exponent, and half of the rest of the exponent.
struct HalvedExponent {
  explicit HalvedExponent(uint32_t bits)
      : odd(static_cast<unsigned>(exponent_of(bits)) & 1),
        half((exponent_of(bits) - static_cast<int>(odd)) / 2) {}
  unsigned odd;
  int half;
};

uint32_t reciprocal_root_value(uint32_t bits) {
  if ((bits & ~kFloatSign) == 0) return (bits & kFloatSign) | kFloatInfinity;
  if ((bits & kFloatSign) != 0) return kFloatNan;
  if (bits == kFloatInfinity) return 0;
  const uint32_t fraction = bits & kFloatFraction;
  const HalvedExponent exponent(bits);
  if (exponent.odd == 0 && fraction == 0) return packed(kUnity, -exponent.half);
  const InterpolationRow& row = kReciprocalRootRows[exponent.odd << 6 | fraction >> kLowBits];
  return packed(interpolated(row, kReciprocalRootScale, fraction & kLowMask), -exponent.half);
}

uint32_t root_value(uint32_t bits) {
  if ((bits & ~kFloatSign) == 0 || bits == kFloatInfinity) return bits;
  if ((bits & kFloatSign) != 0) return kFloatNan;
  const uint32_t fraction = bits & kFloatFraction;
  const HalvedExponent exponent(bits);
  const InterpolationRow& row = kRootRows[exponent.odd << 6 | fraction >> kLowBits];
  return packed(interpolated(row, kRootScale, fraction & kLowMask), exponent.half);
}

/// A cosine is the sine of the complement to a quarter of a turn.
uint32_t sine_value(uint32_t bits, bool is_cosine) {
  if ((bits & ~kFloatSign) == kFloatInfinity) return kFloatNan;
  const bool is_whole = exponent_of(bits) >= 24;
  const uint64_t turns = is_whole ? 0 : in_fixed_point(bits, 25);
  const unsigned quarter = static_cast<unsigned>(turns >> 23) & 3;
  const bool falls = (quarter & 1) != 0;
  const uint32_t fraction = (falls != is_cosine ? ~turns : turns) & kFloatFraction;
  const bool negative =
      is_cosine ? quarter == 1 || quarter == 2 : (quarter >= 2) != ((bits & kFloatSign) != 0);
  return (negative ? kFloatSign : 0) |
         packed(interpolated(kSineRows[fraction >> kLowBits], kSineScale, fraction & kLowMask), 0);
}

/// Bits that select a row of the tangent's table, for arguments in [2^-8, 2^-7) to [4, 8).
constexpr unsigned kTangentBits[] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3};

uint32_t tangent_value(uint32_t bits) {
  constexpr int kLeast = -8;
  const uint32_t sign = bits & kFloatSign;
  const int exponent = exponent_of(bits);
  if (exponent < kLeast) return bits;
  if (exponent > 2) return sign | 0x3F800000;
  unsigned first = 0;
  for (int each = kLeast; each < exponent; ++each) first += 1u << kTangentBits[each - kLeast];
  const unsigned row_bits = kTangentBits[exponent - kLeast];
  const uint32_t fraction = bits & kFloatFraction;
  const InterpolationRow& row = kTangentRows[first + (fraction >> (23 - row_bits))];
  const uint32_t low = fraction >> (23 - row_bits - kLowBits) & kLowMask;
  return sign | packed(without_low_places(interpolated(row, kTangentScale, low)), 0);
}

/// A double's upper word has 20 bits of the fraction; computes with the float that has these bits.
uint32_t upper_word_value(SpecialFunction function, uint32_t upper) {
  constexpr int kBias = 1023;
  const uint32_t sign = upper & kFloatSign;
  const int field = static_cast<int>(upper >> 20 & 0x7FF);
  const uint32_t fraction = upper & 0xFFFFF;
  const bool is_root = function == SpecialFunction::kReciprocalRoot64;
  if (field == 0x7FF && fraction != 0) return kFloatNan;
  if (field == 0) return sign | 0x7FF00000;
  if (is_root && sign != 0) return kFloatNan;
  if (field == 0x7FF) return sign;
  const int exponent = field - kBias;
  const int odd = is_root ? exponent & 1 : 0;
  const uint32_t result =
      special_value(is_root ? SpecialFunction::kReciprocalRoot : SpecialFunction::kReciprocal,
                    static_cast<uint32_t>(127 + odd) << 23 | fraction << 3);
  const int scale = is_root ? (exponent - odd) / 2 : exponent;
  const int result_field = exponent_of(result) - scale + kBias;
  if (result_field <= 0) return sign;
  return sign | static_cast<uint32_t>(result_field) << 20 | (result & kFloatFraction) >> 3;
}

}  // namespace

uint32_t special_value(SpecialFunction function, uint32_t bits) {
  if (function == SpecialFunction::kReciprocal64 || function == SpecialFunction::kReciprocalRoot64)
    return upper_word_value(function, bits);
  if ((bits & ~kFloatSign) > kFloatInfinity) return kFloatNan;
  if (function == SpecialFunction::kTangent) return tangent_value(bits);
  if ((bits & kFloatInfinity) == 0) bits &= kFloatSign;
  switch (function) {
    case SpecialFunction::kCos: return sine_value(bits, true);
    case SpecialFunction::kSin: return sine_value(bits, false);
    case SpecialFunction::kExp2: return exp2_value(bits);
    case SpecialFunction::kLog2: return log2_value(bits);
    case SpecialFunction::kReciprocal: return reciprocal_value(bits);
    case SpecialFunction::kReciprocalRoot: return reciprocal_root_value(bits);
    default: return root_value(bits);
  }
}

}  // namespace shflsim::isa
