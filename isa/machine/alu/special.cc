// SPDX-License-Identifier: Apache-2.0
// The special function unit. Its results are approximate: here they are the correctly rounded ones
// where the unit's documented error allows any nearby value, and carry a mark that says so.
#include <cmath>

#include "isa/machine/float_lanes.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

enum Function : uint8_t {
  kCos,
  kSin,
  kExp2,
  kLog2,
  kReciprocal,
  kReciprocalRoot,
  kReciprocal64,
  kReciprocalRoot64,
  kRoot,
  kTangent  ///< the hyperbolic one
};

double value_of(uint8_t function, double x) {
  switch (function) {
    case kCos: return std::cos(x);
    case kSin: return std::sin(x);
    case kExp2: return std::exp2(x);
    case kLog2: return std::log2(x);
    case kReciprocal: return 1 / x;
    case kReciprocalRoot: return 1 / std::sqrt(x);
    case kTangent: return std::tanh(x);
    default: return std::sqrt(x);
  }
}

/// The upper word of the result for a double of which only the upper word is given.
uint32_t upper_word_of(uint8_t function, uint32_t upper) {
  const double x = as_double(uint64_t{upper} << 32);
  const double result = function == kReciprocal64 ? 1 / x : 1 / std::sqrt(x);
  if (result != result) return 0x7FFFFFFFu;
  return static_cast<uint32_t>(bits_of(result) >> 32);
}

/// The results depend on the sources' marks as any others do, and are approximate as well.
void mark_approximate(Execution& execution, Role source) {
  const Operand& from = execution.operand(source);
  const Operand& d = execution.operand(Role::kD);
  if (d.index == kRZ) return;
  Marks marks = from.is_live_register() ? execution.warp.register_marks[from.index] : Marks{};
  marks.approximate = kAllLanes;
  execution.warp.marked = true;
  execution.warp.register_marks[d.index] =
      execution.warp.register_marks[d.index].replaced(marks, execution.lanes);
}

void mufu(Execution& execution) {
  const uint8_t function = execution.instruction[Mod::k_mufu];
  const bool upper_words = function == kReciprocal64 || function == kReciprocalRoot64;
  // The unit has no denormals; the compiler scales around it where it needs them.
  LaneValues values = FloatSource(execution, Role::kA, !upper_words).values();
  mark_approximate(execution, Role::kA);
  for (uint32_t& bits : values) {
    bits =
        upper_words
            ? upper_word_of(function, bits)
            : bits_of(static_cast<float>(value_of(function, static_cast<double>(as_float(bits)))));
  }
  if (upper_words) {
    write_result(execution, values);
    return;
  }
  write_float(execution, values, {true, execution.instruction[Mod::k_sat] != 0});
}

/// sm_70 and later: sine and cosine take turns, not radians, and so need no other reduction.
void sm70_mufu(Execution& execution) {
  constexpr double kTurn = 6.283185307179586;
  const uint8_t function = execution.instruction[Mod::k_mufu_v];
  const bool upper_words = function == kReciprocal64 || function == kReciprocalRoot64;
  // The immediate of a double keeps its lower word too, which is 0.
  const bool is_double = upper_words && execution.operand(Role::kB).is(Operand::Kind::kImmediate);
  LaneValues values = FloatSource(execution, Role::kB, !upper_words, is_double ? 1 : 0).values();
  mark_approximate(execution, Role::kB);
  if (upper_words) {
    return set_result(execution,
                      [&](unsigned lane) { return upper_word_of(function, values[lane]); });
  }
  for (uint32_t& bits : values) {
    const double x = static_cast<double>(as_float(bits));
    const bool turns = function == kSin || function == kCos;
    bits = bits_of(static_cast<float>(value_of(function, turns ? std::fmod(x, 1.0) * kTurn : x)));
  }
  write_float(execution, values, {true, false});
}

bool is_narrow(const Instruction& instruction) {
  return (instruction[Mod::k_f16] | instruction[Mod::k_ftype]) != 0;
}

double narrow_function(bool is_tangent, double x) {
  if (!is_tangent) return std::abs(x) < 0x1p-23 ? 1 : std::exp2(x);
  constexpr double kLinear = 0x1p-8 * (1 + 0x1p-7);
  if (std::abs(x) < kLinear) return x;
  return std::abs(x) < 8 ? std::tanh(x) : std::copysign(1, x);
}

/// EX2 and TANH of a half or a bfloat16 as an H100 computes them, but for 25 arguments: the result
/// is truncated; a tangent of a small argument is the argument; EX2 of a bfloat16 has no denormals.
uint32_t narrow_value(bool is_tangent, uint32_t bits, const FloatFormat& format) {
  const Unpacked x = unpack(bits, format);
  if (x.kind == Unpacked::Kind::kNan) return 0x7FFF;
  const double magnitude =
      x.kind == Unpacked::Kind::kInfinite
          ? HUGE_VAL
          : std::ldexp(static_cast<double>(x.value.significand), x.value.exponent);
  const double result = narrow_function(is_tangent, x.value.negative ? -magnitude : magnitude);
  const int most = 1 << (format.exponent_bits - 1);
  const uint32_t infinity = ((1u << format.exponent_bits) - 1) << format.fraction_bits;
  if (result >= std::ldexp(1, most)) return infinity;
  const auto narrow = static_cast<uint32_t>(
      pack(unpack(bits_of(result), kDoubleFormat).value, format, Rounding::kZero));
  const bool flushes = !is_tangent && format.exponent_bits == kBfloatFormat.exponent_bits;
  return flushes && (narrow & infinity) == 0 ? 0 : narrow;
}

void narrow_mufu(Execution& execution) {
  const Instruction& instruction = execution.instruction;
  const Operand& operand = execution.operand(Role::kB);
  const FloatFormat& format = instruction[Mod::k_ftype] == 2 ? kBfloatFormat : kHalfFormat;
  const unsigned shift = instruction[Mod::k_half] != 0 ? 16 : 0;
  const bool is_tangent = instruction[Mod::k_mufu_v] == kTangent;
  const SourceOperand b(execution, Role::kB);
  LaneValues values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    uint32_t bits = (b[lane] >> shift) & (operand.absolute ? 0x7FFFu : 0xFFFFu);
    if (operand.negate) bits ^= 0x8000u;
    values[lane] = narrow_value(is_tangent, bits, format);
  }
  mark_approximate(execution, Role::kB);
  write_result(execution, values);
}

void mufu_of_any_width(Execution& execution) {
  is_narrow(execution.instruction) ? narrow_mufu(execution) : sm70_mufu(execution);
}

std::string refuse_narrow(const Instruction& instruction) {
  const uint8_t function = instruction[Mod::k_mufu_v];
  const bool is_known = function == kExp2 || function == kTangent;
  return is_narrow(instruction) && !is_known ? "the form of 16 bits" : "";
}

/// Range reduction before MUFU.SIN, COS, EX2. What it hands over is the unit's own format; here the
/// argument itself passes, and the function takes it whole.
void rro(Execution& execution) {
  const FloatSource values(execution, Role::kB, false);
  mark_approximate(execution, Role::kB);
  write_result(execution, values.values());
}

}  // namespace

void add_special_function_operations(OperationTable& table) {
  entry(table, Op::kMUFU) = {mufu, nullptr, true};
  entry(table, Op::kSm70_MUFU) = {mufu_of_any_width, refuse_narrow, true};
  entry(table, Op::kRRO) = {rro, nullptr, true};
}

}  // namespace shflsim::isa
