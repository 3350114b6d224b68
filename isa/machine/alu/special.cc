// SPDX-License-Identifier: Apache-2.0
// The special function unit; alu/special_values.h has its functions.
#include <cmath>

#include "isa/machine/alu/float_lanes.h"
#include "isa/machine/alu/special_values.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

bool takes_upper_word(SpecialFunction function) {
  return function == SpecialFunction::kReciprocal64 ||
         function == SpecialFunction::kReciprocalRoot64;
}

/// Radians times 1 / (2 pi), rounded towards zero, as code of sm_70 and later computes it.
uint32_t turns_of(uint32_t radians) {
  constexpr double kTurns = 0.15915493667125701904;
  const double exact = static_cast<double>(as_float(radians)) * kTurns;
  return static_cast<uint32_t>(
      pack(unpack(bits_of(exact), kDoubleFormat).value, kSingleFormat, Rounding::kZero));
}

/// Sine and cosine take radians here, since rro(), which should convert to turns, does not.
void mufu(Execution& execution) {
  const auto function = static_cast<SpecialFunction>(execution.instruction[Mod::k_mufu]);
  const bool turns = function == SpecialFunction::kSin || function == SpecialFunction::kCos;
  // The unit flushes denormals; the compiler scales arguments if it needs them.
  LaneValues values = FloatSource(execution, Role::kA, !takes_upper_word(function)).values();
  for (uint32_t& bits : values) bits = special_value(function, turns ? turns_of(bits) : bits);
  if (takes_upper_word(function)) {
    write_result(execution, values);
  } else {
    write_float(execution, values, {true, execution.instruction[Mod::k_sat] != 0});
  }
}

void sm70_mufu(Execution& execution) {
  const auto function = static_cast<SpecialFunction>(execution.instruction[Mod::k_mufu_v]);
  // The immediate of a double also has a lower word, which is 0.
  const bool is_double =
      takes_upper_word(function) && execution.operand(Role::kB).is(Operand::Kind::kImmediate);
  const FloatSource b(execution, Role::kB, false, is_double ? 1 : 0);
  set_result(execution, [&](unsigned lane) { return special_value(function, b[lane]); });
}

bool is_narrow(const Instruction& instruction) {
  return (instruction[Mod::k_f16] | instruction[Mod::k_ftype]) != 0;
}

/// The function of a 16-bit value: computed as a float and truncated.
uint32_t narrow_value(SpecialFunction function, uint32_t bits, const FloatFormat& format) {
  const Unpacked x = unpack(bits, format);
  if (x.kind == Unpacked::Kind::kNan) return 0x7FFF;
  const float size = x.kind == Unpacked::Kind::kInfinite
                         ? HUGE_VALF
                         : std::ldexp(static_cast<float>(x.value.significand), x.value.exponent);
  const uint32_t result = special_value(function, bits_of(x.value.negative ? -size : size));
  if (as_float(result) >= std::ldexp(1.0f, 1 << (format.exponent_bits - 1)))
    return ((1u << format.exponent_bits) - 1) << format.fraction_bits;
  return static_cast<uint32_t>(pack(unpack(result, kSingleFormat).value, format, Rounding::kZero));
}

void narrow_mufu(Execution& execution) {
  const Instruction& instruction = execution.instruction;
  const Operand& operand = execution.operand(Role::kB);
  const FloatFormat& format = instruction[Mod::k_ftype] == 2 ? kBfloatFormat : kHalfFormat;
  const unsigned shift = instruction[Mod::k_half] != 0 ? 16 : 0;
  const auto function = static_cast<SpecialFunction>(instruction[Mod::k_mufu_v]);
  const SourceOperand b(execution, Role::kB);
  LaneValues values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    uint32_t bits = (b[lane] >> shift) & (operand.absolute ? 0x7FFFu : 0xFFFFu);
    if (operand.negate) bits ^= 0x8000u;
    values[lane] = narrow_value(function, bits, format);
  }
  write_result(execution, values);
}

void mufu_of_any_width(Execution& execution) {
  is_narrow(execution.instruction) ? narrow_mufu(execution) : sm70_mufu(execution);
}

std::string refuse_narrow(const Instruction& instruction) {
  const auto function = static_cast<SpecialFunction>(instruction[Mod::k_mufu_v]);
  const bool is_known = function == SpecialFunction::kExp2 || function == SpecialFunction::kTangent;
  return is_narrow(instruction) && !is_known ? "the form of 16 bits" : "";
}

/// Range reduction before MUFU.SIN, COS, EX2. Hardware converts to the unit's own format; here the
/// argument is passed unchanged, and MUFU takes the whole argument.
void rro(Execution& execution) {
  const FloatSource values(execution, Role::kB, false);
  write_result(execution, values.values());
}

}  // namespace

void add_special_function_operations(OperationTable& table) {
  entry(table, Op::kMUFU) = {mufu};
  entry(table, Op::kSm70_MUFU) = {mufu_of_any_width, refuse_narrow};
  entry(table, Op::kRRO) = {rro};
}

}  // namespace shflsim::isa
