// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/atomic_values.h"

#include "isa/machine/bit_tools.h"
#include "isa/machine/float_sums.h"
#include "isa/machine/rounding.h"

namespace shflsim::isa {
namespace {

using ValueType = AtomicValue::Type;

uint64_t smaller(uint64_t a, uint64_t b, ValueType type, bool wants_smaller) {
  const bool is_signed = type == AtomicValue::kS32 || type == AtomicValue::kS64;
  const uint64_t sign = AtomicValue::bytes_of(type) == 8 ? uint64_t{1} << 63 : uint64_t{1} << 31;
  const uint64_t bias = is_signed ? sign : 0;
  return ((a ^ bias) < (b ^ bias)) == wants_smaller ? a : b;
}

/// The sum of two pairs of bfloat16; denormals are kept.
uint32_t bfloat_pair_sum(uint32_t a, uint32_t b) {
  constexpr FloatFormat kBfloat{8, 7};
  constexpr uint32_t kNan = 0x7FFF, kBf16Infinity = 0x7F80;
  uint32_t pair = 0;
  for (unsigned shift : {0u, 16u}) {
    const float x = as_float((a >> shift) << 16), y = as_float((b >> shift) << 16);
    const double sum = fused_to_odd(x, 1.0f, y);
    const Unpacked exact = unpack(bits_of(sum), kDoubleFormat);
    uint64_t bits = kNan;
    if (exact.kind == Unpacked::Kind::kInfinite)
      bits = kBf16Infinity | (exact.value.negative ? 0x8000 : 0);
    if (exact.kind == Unpacked::Kind::kFinite)
      bits = pack(exact.value, kBfloat, Rounding::kNearest);
    pair |= static_cast<uint32_t>(bits) << shift;
  }
  return pair;
}

uint32_t float_sum(uint32_t a, uint32_t b) {
  const float sum = as_float(a) + as_float(b);
  return sum != sum ? kNan32 : bits_of(sum);
}

uint64_t added(uint64_t a, uint64_t b, ValueType type) {
  const uint32_t low = static_cast<uint32_t>(a), other = static_cast<uint32_t>(b);
  switch (type) {
    case AtomicValue::kF64: return double_sum(a, b);
    case AtomicValue::kF16x2: return half_pair_sum(low, other);
    case AtomicValue::kBf16x2: return bfloat_pair_sum(low, other);
    case AtomicValue::kF32: return flush(float_sum(flush(low), flush(other)));
    case AtomicValue::kF32Whole: return float_sum(low, other);
    default: return a + b;
  }
}

/// The minimum or maximum of two halves: a number is preferred to a NaN; -0 is below +0.
uint32_t lesser_half(uint32_t x, uint32_t y, ValueType type, bool lesser) {
  constexpr uint32_t kNan16 = 0x7FFF, kMagnitude = 0x7FFF;
  const uint32_t infinity = type == AtomicValue::kBf16x2 ? 0x7F80 : 0x7C00;
  const auto is_nan = [infinity](uint32_t half) { return (half & kMagnitude) > infinity; };
  const auto order = [](uint32_t half) {
    const auto magnitude = static_cast<int32_t>(half & kMagnitude);
    return half > kMagnitude ? ~magnitude : magnitude;
  };
  if (is_nan(x)) return is_nan(y) ? kNan16 : y;
  if (is_nan(y)) return x;
  return (order(x) < order(y)) == lesser ? x : y;
}

uint32_t lesser_pair(uint32_t a, uint32_t b, ValueType type, bool lesser) {
  return lesser_half(a >> 16, b >> 16, type, lesser) << 16 |
         lesser_half(a & 0xFFFF, b & 0xFFFF, type, lesser);
}

}  // namespace

uint64_t AtomicValue::updated(uint8_t operation, Type type, uint64_t old, uint64_t operand) {
  switch (operation) {
    case kMin:
    case kMax:
      if (is_half_pair(type))
        return lesser_pair(static_cast<uint32_t>(old), static_cast<uint32_t>(operand), type,
                           operation == kMin);
      return smaller(old, operand, type, operation == kMin);
    case kInc: return old >= operand ? 0 : old + 1;
    case kDec: return old == 0 || old > operand ? operand : old - 1;
    case kAnd: return old & operand;
    case kOr: return old | operand;
    case kXor: return old ^ operand;
    case kExch: return operand;
    default: return added(old, operand, type);
  }
}

}  // namespace shflsim::isa
