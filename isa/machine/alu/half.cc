// SPDX-License-Identifier: Apache-2.0
// Half precision, two values per register (sm_53 and later): each half is computed exactly and
// rounded once.
#include "isa/machine/alu/float_lanes.h"
#include "isa/machine/float_sums.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

constexpr uint32_t kOne16 = 0x3C00;

/// The source of an operand's two values, in the order of the field `halves`.
enum Halves : uint8_t { kBoth, kSingleValue, kLowerTwice, kUpperTwice };

/// The destination of results, in the order of the field `merge`.
enum HalfMerge : uint8_t { kPair, kToSingle, kIntoLower, kIntoUpper };

float widened_half(uint32_t bits, bool flushes) {
  const Unpacked value = unpack(bits & 0xFFFF, kHalfFormat);
  const float sign = value.value.negative ? -1.0f : 1.0f;
  if (value.kind == Unpacked::Kind::kNan) return as_float(kNan32);
  if (value.kind == Unpacked::Kind::kInfinite) return sign * as_float(0x7F800000u);
  if (flushes && (bits & 0x7C00) == 0) return sign * 0.0f;
  return as_float(static_cast<uint32_t>(pack(value.value, kSingleFormat, Rounding::kNearest)));
}

/// A source operand's lower and upper value as floats, which represent every half exactly.
struct HalfPair {
  std::array<float, kLanes> part[2];
};

/// The bits of a source's lower (0) or upper (1) value. Immediates have two operands (B and G).
uint32_t half_bits(uint32_t word, uint8_t halves, unsigned part) {
  const unsigned from = halves == kLowerTwice ? 0 : halves == kUpperTwice ? 1 : part;
  return (word >> (16 * from)) & 0xFFFF;
}

HalfPair half_operand(const Execution& execution, Role role, bool flushes) {
  const Operand& operand = execution.operand(role);
  const bool immediate = operand.is(Operand::Kind::kImmediate);
  const SourceOperand source(execution, role);
  const uint32_t upper = static_cast<uint32_t>(execution.operand(Role::kG).value);
  HalfPair out;
  for (unsigned part = 0; part < 2; ++part) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const uint32_t word = immediate ? source[lane] | upper << 16 : source[lane];
      float value = operand.half == kSingleValue
                        ? as_float(flushes ? flush(word) : word)
                        : widened_half(half_bits(word, operand.half, part), flushes);
      if (operand.absolute) value = as_float(bits_of(value) & 0x7FFFFFFFu);
      out.part[part][lane] = operand.negate ? -value : value;
    }
  }
  return out;
}

struct HalfFinish {
  bool flushes;
  bool saturates;
};

/// A result, exact or rounded to odd, in a format.
uint32_t rounded(double value, const FloatFormat& format, const HalfFinish& finish) {
  const bool is_half = format.exponent_bits == kHalfFormat.exponent_bits;
  if (value != value) return finish.saturates ? 0 : is_half ? kNan16 : kNan32;
  if (finish.saturates) value = value > 0 ? (value < 1 ? value : 1.0) : 0.0;
  const Unpacked parts = unpack(bits_of(value), kDoubleFormat);
  const uint32_t sign = parts.value.negative ? (is_half ? 0x8000u : 0x80000000u) : 0;
  const uint32_t infinity = is_half ? 0x7C00u : 0x7F800000u;
  if (parts.kind == Unpacked::Kind::kInfinite) return sign | infinity;
  const uint32_t bits = static_cast<uint32_t>(pack(parts.value, format, Rounding::kNearest));
  return finish.flushes && (bits & infinity) == 0 ? sign : bits;
}

/// D = f(part, lane) for both halves, merged as the field `merge` says.
template <class F>
void write_halves(Execution& execution, const HalfFinish& finish, F f) {
  const uint8_t merge = execution.instruction[Mod::k_merge];
  if (execution.operand(Role::kD).index == kRZ) return;
  const SourceOperand old(execution, Role::kD);
  set_result(execution, [&](unsigned lane) {
    if (merge == kToSingle) return rounded(f(0, lane), kSingleFormat, finish);
    const uint32_t low =
        merge == kIntoUpper ? old[lane] & 0xFFFF : rounded(f(0, lane), kHalfFormat, finish);
    const uint32_t high =
        merge == kIntoLower ? old[lane] >> 16 : rounded(f(1, lane), kHalfFormat, finish);
    return high << 16 | low;
  });
}

void hadd2(Execution& execution) {
  const bool flushes = execution.instruction[Mod::k_ftz] != 0;
  const HalfPair a = half_operand(execution, Role::kA, flushes);
  const HalfPair b = half_operand(execution, Role::kB, flushes);
  write_halves(execution, {flushes, execution.instruction[Mod::k_sat] != 0},
               [&](unsigned part, unsigned lane) {
                 return fused_to_odd(a.part[part][lane], 1.0f, b.part[part][lane]);
               });
}

constexpr uint8_t kHalfFlushAndZero = 2;  // ".FMZ": zero times anything is zero

void hmul2(Execution& execution) {
  const uint8_t mode = execution.instruction[Mod::k_fmz];
  const HalfPair a = half_operand(execution, Role::kA, mode != 0);
  const HalfPair b = half_operand(execution, Role::kB, mode != 0);
  write_halves(execution, {mode != 0, execution.instruction[Mod::k_sat] != 0},
               [&](unsigned part, unsigned lane) {
                 const double x = static_cast<double>(a.part[part][lane]);
                 const double y = static_cast<double>(b.part[part][lane]);
                 return mode == kHalfFlushAndZero && (x == 0 || y == 0) ? 0.0 : x * y;
               });
}

void hfma2(Execution& execution) {
  const uint8_t mode = execution.instruction[Mod::k_fmz];
  const HalfPair a = half_operand(execution, Role::kA, mode != 0);
  const HalfPair b = half_operand(execution, Role::kB, mode != 0);
  const HalfPair c = half_operand(execution, Role::kC, mode != 0);
  write_halves(execution, {mode != 0, execution.instruction[Mod::k_sat] != 0},
               [&](unsigned part, unsigned lane) {
                 const float x = a.part[part][lane], y = b.part[part][lane];
                 const float z = c.part[part][lane];
                 const bool only_c = mode == kHalfFlushAndZero && (x == 0 || y == 0);
                 return only_c ? static_cast<double>(z) : fused_to_odd(x, y, z);
               });
}

LaneMask half_test(const Execution& execution, unsigned part) {
  const bool flushes = execution.instruction[Mod::k_ftz] != 0;
  const HalfPair a = half_operand(execution, Role::kA, flushes);
  const HalfPair b = half_operand(execution, Role::kB, flushes);
  const Relation relation = float_relation([&](unsigned lane) { return a.part[part][lane]; },
                                           [&](unsigned lane) { return b.part[part][lane]; });
  return holds(relation, execution.instruction[Mod::k_fcmp]);
}

void hset2(Execution& execution) {
  const LaneMask s = predicate_of(execution, Role::kS);
  const uint8_t operation = execution.instruction[Mod::k_bool_];
  const LaneMask low = combine(operation, half_test(execution, 0), s);
  const LaneMask high = combine(operation, half_test(execution, 1), s);
  const uint32_t truth = execution.instruction[Mod::k_bf] != 0 ? kOne16 : 0xFFFF;
  set_result(execution, [&](unsigned lane) {
    return (bit_of(high, lane) ? truth << 16 : 0) | (bit_of(low, lane) ? truth : 0);
  });
}

/// P = the lower half's test, Q = the upper's; with .H_AND P = both hold, Q = not both.
void hsetp2(Execution& execution) {
  const LaneMask s = predicate_of(execution, Role::kS);
  const uint8_t operation = execution.instruction[Mod::k_bool_];
  const LaneMask low = half_test(execution, 0);
  const LaneMask high = half_test(execution, 1);
  const bool joined = execution.instruction[Mod::k_h_and] != 0;
  write_predicate(execution, Role::kP, combine(operation, joined ? low & high : low, s));
  write_predicate(execution, Role::kQ, combine(operation, joined ? ~(low & high) : high, s));
}

}  // namespace

uint32_t half_pair_sum(uint32_t a, uint32_t b) {
  uint32_t sum = 0;
  for (unsigned shift : {0u, 16u}) {
    const float x = widened_half(a >> shift, false), y = widened_half(b >> shift, false);
    sum |= rounded(fused_to_odd(x, 1.0f, y), kHalfFormat, {false, false}) << shift;
  }
  return sum;
}

void add_half_operations(OperationTable& table) {
  entry(table, Op::kHADD2) = {hadd2};
  entry(table, Op::kHMUL2) = {hmul2};
  entry(table, Op::kHFMA2) = {hfma2};
  entry(table, Op::kHSET2) = {hset2};
  entry(table, Op::kHSETP2) = {hsetp2};
}

}  // namespace shflsim::isa
