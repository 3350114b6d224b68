// SPDX-License-Identifier: Apache-2.0
// Conversions between integers and floats of all sizes.
#include "isa/machine/alu/conversions.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

/// A float format by its field: 1 half, 2 single, 3 double.
const FloatFormat& float_format(uint8_t field) {
  static constexpr FloatFormat kFormats[] = {kSingleFormat, kHalfFormat, kSingleFormat,
                                             kDoubleFormat};
  return kFormats[field & 3];
}

unsigned width_of(const FloatFormat& format) {
  return 1 + format.exponent_bits + format.fraction_bits;
}

/// 64 bits of the source: the register pair for wide types, else one word. An immediate of sm_70
/// and later is the upper word of a wide source; the lower word is 0.
struct WideSource {
  WideSource(const Execution& execution, bool is_wide)
      : low(execution, Role::kB, 0),
        high(execution, Role::kB, is_wide ? 1 : 0),
        wide(is_wide),
        is_upper(is_wide && execution.operand(Role::kB).is(Operand::Kind::kImmediate) &&
                 execution.instruction.arch != Arch::kSm50) {}
  uint64_t operator[](unsigned lane) const {
    if (is_upper) return uint64_t{low[lane]} << 32;
    return wide ? uint64_t{high[lane]} << 32 | low[lane] : low[lane];
  }
  SourceOperand low;
  SourceOperand high;
  bool wide;
  bool is_upper;
};

template <class F>
void write_wide(Execution& execution, bool wide, F f) {
  LaneValues low, high;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint64_t value = f(lane);
    low[lane] = static_cast<uint32_t>(value);
    high[lane] = static_cast<uint32_t>(value >> 32);
  }
  write_result(execution, low, 0);
  if (wide) write_result(execution, high, 1);
}

/// A signed number that is wide enough for every integer type.
struct Integer {
  bool negative;
  uint64_t magnitude;
};

Integer read_integer(uint64_t bits, const IntegerType& type, const Operand& operand) {
  const uint64_t mask = type.bits == 64 ? ~uint64_t{0} : (uint64_t{1} << type.bits) - 1;
  const bool negative = type.is_signed && ((bits >> (type.bits - 1)) & 1) != 0;
  const uint64_t magnitude = (negative ? 0 - bits : bits) & mask;
  const bool turned = operand.absolute ? operand.negate : negative != operand.negate;
  return {turned && magnitude != 0, magnitude};
}

/// Sub-word sources may start at any byte (.B1 to .B3).
uint64_t selected_bytes(uint64_t bits, const IntegerType& type, unsigned first_byte) {
  return type.bits < 32 ? bits >> (8 * first_byte) : bits;
}

uint64_t largest(const IntegerType& type, bool negative) {
  if (!type.is_signed) return negative ? 0 : ~uint64_t{0} >> (64 - type.bits);
  return (~uint64_t{0} >> (65 - type.bits)) + (negative ? 1 : 0);
}

/// The value clamped to the type's range, as bits extended to 64 bits.
uint64_t clamped(const Integer& value, bool too_large, const IntegerType& type) {
  const uint64_t limit = largest(type, value.negative);
  const uint64_t magnitude = too_large ? limit : value.magnitude < limit ? value.magnitude : limit;
  return value.negative ? 0 - magnitude : magnitude;
}

/// A float source of any format, with absolute value, negation and flushing applied.
Unpacked read_float(uint64_t bits, const FloatFormat& format, const Operand& operand,
                    bool flushes) {
  Unpacked value = unpack(bits, format);
  if (operand.absolute) value.value.negative = false;
  value.value.negative = value.value.negative != operand.negate;
  const bool denormal = (value.value.significand >> format.fraction_bits) == 0;
  if (flushes && denormal && width_of(format) == 32) value.value.significand = 0;
  return value;
}

uint64_t float_to_integer(const Unpacked& value, const FloatToInteger& conversion) {
  if (value.kind == Unpacked::Kind::kNan) return conversion.nan;
  bool too_large = value.kind == Unpacked::Kind::kInfinite;
  const uint64_t magnitude =
      too_large ? 0 : round_to_integer(value.value, conversion.rounding, &too_large);
  return clamped({value.value.negative, magnitude}, too_large, conversion.to);
}

uint64_t infinity_of(bool negative, const FloatFormat& format) {
  const uint64_t exponent = (uint64_t{1} << format.exponent_bits) - 1;
  return (uint64_t{negative} << format.exponent_bits | exponent) << format.fraction_bits;
}

/// Converts a NaN. To and from doubles the sign (without negation) and the payload's upper bits are
/// kept (measured: an H200, 219 NaN of which tests/isa/sm70/float_test.cc has some).
uint64_t nan_of(uint64_t bits, const FloatFormat& from, const FloatFormat& to) {
  constexpr unsigned kDoubleBits = 52;
  if (width_of(from) != 64 && width_of(to) != 64) return width_of(to) == 16 ? 0x7FFF : kNan32;
  const bool is_negative = (bits >> (width_of(from) - 1)) != 0;
  const uint64_t payload = (bits & ((uint64_t{1} << from.fraction_bits) - 1))
                           << (kDoubleBits - from.fraction_bits);
  const uint64_t quiet = uint64_t{1} << (to.fraction_bits - 1);
  return infinity_of(is_negative, to) | quiet | payload >> (kDoubleBits - to.fraction_bits);
}

uint64_t convert_float(const Unpacked& value, uint64_t bits, const FloatToFloat& conversion) {
  const FloatFormat& to = conversion.to;
  if (value.kind == Unpacked::Kind::kNan) return nan_of(bits, conversion.from, to);
  if (value.kind == Unpacked::Kind::kInfinite) return infinity_of(value.value.negative, to);
  if (!conversion.to_integer) return pack(value.value, to, conversion.rounding);
  bool has_no_fraction = false;
  const uint64_t integer = round_to_integer(value.value, conversion.rounding, &has_no_fraction);
  if (has_no_fraction) return pack(value.value, to, conversion.rounding);
  return pack({value.value.negative, integer, 0}, to, conversion.rounding);
}

uint64_t saturated(uint64_t bits, const FloatFormat& format) {
  const Unpacked value = unpack(bits, format);
  const uint64_t one = pack({false, 1, 0}, format, Rounding::kNearest);
  if (value.kind == Unpacked::Kind::kNan || value.value.negative) return 0;
  return bits < one ? bits : one;
}

/// SPA 5.0: 1 for the upper half of a half-precision source.
unsigned first_byte_of_half(const FloatFormat& from, const Operand& operand) {
  return width_of(from) == 16 && operand.half != 0 ? 2 : 0;
}

void i2f(Execution& execution) {
  const Instruction& instruction = execution.instruction;
  convert(execution, IntegerToFloat{IntegerType(instruction[Mod::k_ifrom]),
                                    float_format(instruction[Mod::k_fto]),
                                    static_cast<Rounding>(instruction[Mod::k_round]),
                                    execution.operand(Role::kB).half});
}

void f2i(Execution& execution) {
  const Instruction& instruction = execution.instruction;
  const FloatFormat& from = float_format(instruction[Mod::k_ffrom]);
  const IntegerType to(instruction[Mod::k_ito]);
  convert(execution, FloatToInteger{from, to, static_cast<Rounding>(instruction[Mod::k_iround]),
                                    first_byte_of_half(from, execution.operand(Role::kB)),
                                    instruction[Mod::k_ftz] != 0, integer_of_nan(to, from)});
}

/// fround: 0 to 3 round to the format's precision, 4 to 7 to an integer.
void f2f(Execution& execution) {
  const Instruction& instruction = execution.instruction;
  const FloatFormat& from = float_format(instruction[Mod::k_ffrom]);
  const uint8_t fround = instruction[Mod::k_fround];
  convert(
      execution,
      FloatToFloat{from, float_format(instruction[Mod::k_fto]), static_cast<Rounding>(fround & 3),
                   first_byte_of_half(from, execution.operand(Role::kB)),
                   instruction[Mod::k_ftz] != 0, instruction[Mod::k_sat] != 0, fround >= 4});
}

/// Integer to integer: truncated to the size, or clamped to its range. ptxas expects the upper half
/// of a 16-bit result to be 0, also if the result is signed.
void i2i(Execution& execution) {
  const IntegerType from(execution.instruction[Mod::k_ifrom]);
  const IntegerType to(execution.instruction[Mod::k_ito]);
  const bool saturates = execution.instruction[Mod::k_sat] != 0;
  const Operand& operand = execution.operand(Role::kB);
  const SourceOperand source(execution, Role::kB);
  LaneValues values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const Integer value =
        read_integer(selected_bytes(source[lane], from, operand.half), from, operand);
    const uint64_t wrapped = value.negative ? 0 - value.magnitude : value.magnitude;
    const unsigned drop = 64 - to.bits;
    const uint64_t extended =
        to.is_signed ? static_cast<uint64_t>(static_cast<int64_t>(wrapped << drop) >> drop)
                     : (wrapped << drop) >> drop;
    const uint64_t result = saturates ? clamped(value, false, to) : extended;
    values[lane] = static_cast<uint32_t>(to.bits == 16 ? result & 0xFFFFu : result);
  }
  write_result(execution, values);
  write_condition(execution, values, 0, 0);
}

}  // namespace

uint64_t integer_of_nan(const IntegerType& type, const FloatFormat& from) {
  const bool has_64_bits = type.bits == 64 || width_of(from) == 64;
  return has_64_bits ? uint64_t{1} << (type.bits - 1) : 0;
}

void convert(Execution& execution, const IntegerToFloat& conversion) {
  const IntegerType& from = conversion.from;
  const Operand& operand = execution.operand(Role::kB);
  const WideSource source(execution, from.bits == 64);
  const bool plain = from.bits == 32 && !operand.negate && !operand.absolute;
  if (plain && width_of(conversion.to) == 32 && conversion.rounding == Rounding::kNearest) {
    return set_result(execution, [&](unsigned lane) {  // the host's own conversion
      const uint32_t word = source.low[lane];
      return bits_of(from.is_signed ? static_cast<float>(static_cast<int32_t>(word))
                                    : static_cast<float>(word));
    });
  }
  write_wide(execution, width_of(conversion.to) == 64, [&](unsigned lane) {
    const uint64_t bits = selected_bytes(source[lane], from, conversion.first_byte);
    const Integer value = read_integer(bits, from, operand);
    return pack({value.negative, value.magnitude, 0}, conversion.to, conversion.rounding);
  });
}

void convert(Execution& execution, const FloatToInteger& conversion) {
  const FloatFormat& from = conversion.from;
  const Operand& operand = execution.operand(Role::kB);
  const WideSource source(execution, width_of(from) == 64);
  write_wide(execution, conversion.to.bits == 64, [&](unsigned lane) {
    const uint64_t bits = source[lane] >> (8 * conversion.first_byte);
    return float_to_integer(read_float(bits, from, operand, conversion.flushes), conversion);
  });
}

void convert(Execution& execution, const FloatToFloat& conversion) {
  const FloatFormat& from = conversion.from;
  const FloatFormat& to = conversion.to;
  const Operand& operand = execution.operand(Role::kB);
  const WideSource source(execution, width_of(from) == 64);
  write_wide(execution, width_of(to) == 64, [&](unsigned lane) {
    const uint64_t bits = source[lane] >> (8 * conversion.first_byte);
    const Unpacked value = read_float(bits, from, operand, conversion.flushes);
    uint64_t result = convert_float(value, bits, conversion);
    if (conversion.flushes && width_of(to) == 32) result = flush(static_cast<uint32_t>(result));
    return conversion.saturates ? saturated(result, to) : result;
  });
}

void add_conversion_operations(OperationTable& table) {
  entry(table, Op::kI2F) = {i2f, refuse_cc};
  entry(table, Op::kF2I) = {f2i, refuse_cc};
  entry(table, Op::kF2F) = {f2f, refuse_cc};
  entry(table, Op::kI2I) = {i2i};
}

}  // namespace shflsim::isa
