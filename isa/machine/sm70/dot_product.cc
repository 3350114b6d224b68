// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/sm70/dot_product.h"

#include <algorithm>

namespace shflsim::isa {
namespace {

/// Measured on an H100 with tiny sums of bf16 and TensorFloat-32; other values give other sums.
constexpr int kExponentOfZero = -133;
constexpr uint32_t kHalfSign = 0x8000;
constexpr uint32_t kSingleSign = 0x80000000;

bool is_single(const FloatFormat& format) { return format.exponent_bits == 8; }

/// The infinities and NaN among the terms.
struct Specials {
  bool nan = false;
  bool positive = false;
  bool negative = false;

  void add(bool is_negative) { (is_negative ? negative : positive) = true; }
  bool any() const { return nan || positive || negative; }
};

void add_product(const Term& a, const Term& b, Specials* specials) {
  const bool infinite = a.kind == Term::Kind::kInfinite || b.kind == Term::Kind::kInfinite;
  if (a.kind == Term::Kind::kNan || b.kind == Term::Kind::kNan) specials->nan = true;
  if (!infinite || specials->nan) return;
  const bool zero = (a.kind == Term::Kind::kFinite && a.significand == 0) ||
                    (b.kind == Term::Kind::kFinite && b.significand == 0);
  if (zero) specials->nan = true;
  specials->add(a.negative != b.negative);
}

uint32_t special_result(const Specials& specials, const FloatFormat& format) {
  const bool single = is_single(format);
  if (specials.nan || (specials.positive && specials.negative)) return single ? kNan32 : kNan16;
  const uint32_t infinity = single ? 0x7F800000u : 0x7C00u;
  return specials.negative ? infinity | (single ? 0x80000000u : 0x8000u) : infinity;
}

/// `significand` times 2^shift, truncated towards zero.
int64_t aligned(int64_t significand, int shift) {
  if (significand == 0) return 0;  // its exponent can be above that of the largest product
  if (shift >= 0) return significand * (int64_t{1} << shift);
  if (shift < -62) return 0;
  return significand / (int64_t{1} << -shift);
}

/// A sum that is rounded to zero has no sign: measured on an H100.
uint32_t rounded_sum(int64_t sum, int exponent, int places, const FloatFormat& format) {
  const bool negative = sum < 0;
  const uint64_t magnitude = negative ? 0 - static_cast<uint64_t>(sum) : static_cast<uint64_t>(sum);
  const Exact value{negative, magnitude, exponent};
  if (!is_single(format)) {
    const auto half = static_cast<uint32_t>(pack(value, format, Rounding::kNearest));
    return (half & ~kHalfSign) == 0 ? 0 : half;
  }
  const int top = magnitude == 0 ? 0 : 63 - __builtin_clzll(magnitude) + exponent;
  if (top > 127) return negative ? 0xFF800000u : 0x7F800000u;
  const uint32_t dropped = (1u << (23 - places)) - 1;
  const uint32_t kept = static_cast<uint32_t>(pack(value, format, Rounding::kZero)) & ~dropped;
  return (kept & ~kSingleSign) == 0 ? 0 : kept;
}

}  // namespace

DotProductUnit dot_product_unit(Arch arch) {
  const unsigned number = number_of(arch);
  if (number < 75) return {23, 8};
  if (number < 90) return {24, 16};
  return {25, 32};
}

Term term_of(uint32_t bits, const FloatFormat& format) {
  const Unpacked value = unpack(bits, format);
  Term term;
  term.kind = static_cast<Term::Kind>(value.kind);
  term.negative = value.value.negative;
  const auto magnitude = static_cast<int32_t>(value.value.significand);
  term.significand = term.negative ? -magnitude : magnitude;
  term.exponent = static_cast<int16_t>(value.value.exponent);
  term.places = static_cast<uint8_t>(format.fraction_bits);
  return term;
}

Term term_of_e4m3(uint32_t bits) {
  constexpr uint32_t kMagnitude = 0x7F;
  if ((bits & kMagnitude) == kMagnitude) {
    Term nan;
    nan.kind = Term::Kind::kNan;
    return nan;
  }
  // The largest exponent is also for numbers, so a format with one more bit of exponent is used.
  const uint32_t sign = bits >> 7 & 1u;
  Term term = term_of(sign << 8 | (bits & kMagnitude), FloatFormat{5, 3});
  term.exponent = static_cast<int16_t>(term.exponent + 8);
  return term;
}

uint32_t dot_product(const DotProductUnit& unit, const Term* a, const Term* b, unsigned count,
                     uint32_t c, const FloatFormat& format) {
  const Term addend = term_of(c, format);
  Specials specials;
  specials.nan = addend.kind == Term::Kind::kNan;
  if (addend.kind == Term::Kind::kInfinite) specials.add(addend.negative);
  // The exponent of a term is that of the significand's top place, even if that bit is 0.
  int largest = addend.significand == 0 ? kExponentOfZero : addend.exponent + addend.places;
  std::array<int64_t, 32> products;
  std::array<int, 32> exponents;
  for (unsigned i = 0; i < count; ++i) {
    add_product(a[i], b[i], &specials);
    products[i] = int64_t{a[i].significand} * b[i].significand;
    exponents[i] = a[i].exponent + b[i].exponent;
    const int first_place = exponents[i] + a[i].places + b[i].places;
    largest = std::max(largest, products[i] == 0 ? kExponentOfZero : first_place);
  }
  if (specials.any()) return special_result(specials, format);
  const int last = largest - unit.places;
  int64_t sum = aligned(addend.significand, addend.exponent - last);
  for (unsigned i = 0; i < count; ++i) sum += aligned(products[i], exponents[i] - last);
  return rounded_sum(sum, last, unit.sum_places, format);
}

}  // namespace shflsim::isa
