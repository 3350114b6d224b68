// SPDX-License-Identifier: Apache-2.0
// Single precision: bit-exact in every rounding mode, including denormals.
#include <cmath>

#include "isa/machine/alu/float_lanes.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

uint32_t saturated(uint32_t bits) {
  const float value = as_float(bits);
  return value > 0 ? bits_of(value < 1 ? value : 1.0f) : 0;  // NaN gives 0
}

/// a * b + c, rounded once. An exact zero from a sum of different signs is -0 when rounding down,
/// otherwise +0.
uint32_t fused(uint32_t a, uint32_t b, uint32_t c, Rounding rounding) {
  const double odd = fused_to_odd(as_float(a), as_float(b), as_float(c));
  if (odd == 0 && rounding == Rounding::kDown) return ((a ^ b) | c) & 0x80000000u;
  return bits_of(round_to_float(odd, rounding));
}

void add_floats(Execution& execution, Role second) {
  const bool flushes = execution.instruction[Mod::k_ftz] != 0;
  const FloatSource a(execution, Role::kA, flushes);
  const FloatSource b(execution, second, flushes);
  const Rounding rounding = rounding_of(execution.instruction);
  constexpr uint32_t kOne = 0x3F800000u;
  LaneValues values =
      rounding == Rounding::kNearest
          ? each_lane([&](unsigned lane) { return bits_of(as_float(a[lane]) + as_float(b[lane])); })
          : each_lane([&](unsigned lane) { return fused(a[lane], kOne, b[lane], rounding); });
  write_float(execution, values, {flushes, execution.instruction[Mod::k_sat] != 0});
}

void fadd(Execution& execution) { add_floats(execution, Role::kB); }
void ufadd(Execution& execution) { add_floats(execution, Role::kC); }

/// The scale of a product, 1/8 (.D8) to 8 (.M8), applied before the only rounding.
double scale_of(const Instruction& instruction) {
  static constexpr double kScales[] = {1, 0.5, 0.25, 0.125, 8, 4, 2, 1};
  static constexpr double kSm70Scales[] = {0.125, 0.125, 0.25, 0.5, 1, 2, 4, 8};
  return family_of(instruction.arch) == Family::kMaxwell
             ? kScales[instruction[Mod::k_scale] & 7]
             : kSm70Scales[instruction[Mod::k_scale_v] & 7];
}

enum FlushMode : uint8_t { kKeep, kFlush, kFlushAndZero };

bool is_zero(uint32_t bits) { return (bits << 1) == 0; }

void fmul(Execution& execution) {
  const uint8_t mode = execution.instruction[Mod::k_fmz];
  const FloatSource a(execution, Role::kA, mode != kKeep);
  const FloatSource b(execution, Role::kB, mode != kKeep);
  const double scale = scale_of(execution.instruction);
  const Rounding rounding = rounding_of(execution.instruction);
  const auto product = [&](unsigned lane) {  // exact in double: two significands of 24 bits
    return static_cast<double>(as_float(a[lane])) * static_cast<double>(as_float(b[lane])) * scale;
  };
  LaneValues values =
      rounding == Rounding::kNearest
          ? each_lane([&](unsigned lane) { return bits_of(static_cast<float>(product(lane))); })
          : each_lane(
                [&](unsigned lane) { return bits_of(round_to_float(product(lane), rounding)); });
  for (unsigned lane = 0; lane < kLanes && mode == kFlushAndZero; ++lane) {
    if (is_zero(a[lane]) || is_zero(b[lane])) values[lane] = 0;
  }
  write_float(execution, values, {mode != kKeep, execution.instruction[Mod::k_sat] != 0});
}

/// Compiled twice, with and without the fma instruction, if GCC can choose between the copies when
/// the program starts.
#if defined(__gnu_linux__) && defined(__x86_64__) && !defined(__clang__)
__attribute__((target_clones("fma", "default")))
#endif
void fuse_to_nearest(const FloatSource& a, const FloatSource& b, const FloatSource& c,
                     LaneValues* values) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const float sum = std::fma(as_float(a[lane]), as_float(b[lane]), as_float(c[lane]));
    (*values)[lane] = bits_of(sum);
  }
}

LaneValues fused_lanes(const FloatSource& a, const FloatSource& b, const FloatSource& c,
                       Rounding rounding) {
  if (rounding != Rounding::kNearest)
    return each_lane([&](unsigned lane) { return fused(a[lane], b[lane], c[lane], rounding); });
  LaneValues values;
  fuse_to_nearest(a, b, c, &values);
  return values;
}

void ffma(Execution& execution) {
  const uint8_t mode = execution.instruction[Mod::k_fmz];
  const FloatSource a(execution, Role::kA, mode != kKeep);
  const FloatSource b(execution, Role::kB, mode != kKeep);
  const FloatSource c(execution, Role::kC, mode != kKeep);
  LaneValues values = fused_lanes(a, b, c, rounding_of(execution.instruction));
  for (unsigned lane = 0; lane < kLanes && mode == kFlushAndZero; ++lane) {
    if (is_zero(a[lane]) || is_zero(b[lane])) values[lane] = c[lane];
  }
  write_float(execution, values, {mode != kKeep, execution.instruction[Mod::k_sat] != 0});
}

/// The minimum if the predicate is true, else the maximum. A number is preferred to a NaN, and
/// -0 is below +0.
void fmnmx(Execution& execution) {
  const bool flushes = execution.instruction[Mod::k_ftz] != 0;
  const FloatSource a(execution, Role::kA, flushes);
  const FloatSource b(execution, Role::kB, flushes);
  const LaneMask minimum = predicate_of(execution, Role::kS);
  LaneValues values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    values[lane] = lesser_or_greater(a[lane], b[lane], bit_of(minimum, lane), false);
  }
  write_float(execution, values, {});
}

Relation relation_of_floats(const Execution& execution) {
  const bool flushes = execution.instruction[Mod::k_ftz] != 0;
  const FloatSource a(execution, Role::kA, flushes);
  const FloatSource b(execution, Role::kB, flushes);
  return float_relation([&](unsigned lane) { return as_float(a[lane]); },
                        [&](unsigned lane) { return as_float(b[lane]); });
}

void fset(Execution& execution) {
  const LaneMask test = holds(relation_of_floats(execution), execution.instruction[Mod::k_fcmp]);
  write_set(execution,
            combine(execution.instruction[Mod::k_bool_], test, predicate_of(execution, Role::kS)));
}

/// sm_70 and later: the result is 1.0f or 0 in every form.
void sm70_fset(Execution& execution) {
  const LaneMask test = holds(relation_of_floats(execution), execution.instruction[Mod::k_fcmp]);
  const LaneMask s = predicate_of(execution, Role::kS);
  const LaneMask result = combine(execution.instruction[Mod::k_bool_], test, s);
  set_result(execution, [&](unsigned lane) { return bit_of(result, lane) ? 0x3F800000u : 0; });
}

void fsetp(Execution& execution) {
  write_set_predicates(execution,
                       holds(relation_of_floats(execution), execution.instruction[Mod::k_fcmp]));
}

/// D = (c compared with 0 holds) ? a : b; a and b are moved unchanged.
void fcmp(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  const FloatSource c(execution, Role::kC, execution.instruction[Mod::k_ftz] != 0);
  const LaneMask selects_a = holds(float_relation([&](unsigned lane) { return as_float(c[lane]); },
                                                  [](unsigned) { return 0.0f; }),
                                   execution.instruction[Mod::k_fcmp]);
  set_result(execution, [&](unsigned lane) { return bit_of(selects_a, lane) ? a[lane] : b[lane]; });
}

/// True if a / b is outside the range in which the compiler's division by reciprocal and fused
/// multiply-adds is exact; the code then calls a slow path, which is always exact. NVIDIA does not
/// document the limits: these are safe ones.
bool needs_slow_division(uint32_t a, uint32_t b) {
  const int dividend = static_cast<int>((a >> 23) & 0xFF);
  const int divisor = static_cast<int>((b >> 23) & 0xFF);
  const int quotient = dividend - divisor;
  return dividend < 26 || dividend == 255 || divisor == 0 || divisor > 252 || quotient < -124 ||
         quotient > 126;
}

void fchk(Execution& execution) {
  const FloatSource a(execution, Role::kA, false);
  const FloatSource b(execution, Role::kB, false);
  write_predicate(execution, Role::kP, lanes_where([&](unsigned lane) {
                    return needs_slow_division(a[lane], b[lane]);
                  }));
}

}  // namespace

const uint32_t* FloatSource::changed(const Operand& operand, bool flushes) {
  const uint32_t keep = operand.absolute ? 0x7FFFFFFFu : ~0u;
  const uint32_t turn = operand.negate ? 0x80000000u : 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) changed_[lane] = (source_[lane] & keep) ^ turn;
  if (flushes) {
    for (uint32_t& bits : changed_) bits = flush(bits);
  }
  return changed_.data();
}

void write_float(Execution& execution, LaneValues& values, const Finish& finish) {
  for (uint32_t& bits : values) {
    const float value = as_float(bits);
    bits = value == value ? bits : kNan32;  // false for NaN: one comparison per vector
  }
  if (finish.flushes) {
    for (uint32_t& bits : values) bits = flush(bits);
  }
  if (finish.saturates) {
    for (uint32_t& bits : values) bits = saturated(bits);
  }
  write_result(execution, values);
  if (!execution.instruction.sets_cc) return;
  // Flags of floats according to envytools: zero and sign, both for NaN.
  const LaneMask nan = lanes_where([&](unsigned lane) { return is_nan(values[lane]); });
  const LaneMask zero = lanes_where([&](unsigned lane) { return (values[lane] << 1) == 0; });
  const LaneMask sign =
      lanes_where([&](unsigned lane) { return (values[lane] >> 31) != 0; }) & ~zero;
  ConditionCode& cc = execution.warp.cc;
  cc.zero = (cc.zero & ~execution.lanes) | ((zero | nan) & execution.lanes);
  cc.sign = (cc.sign & ~execution.lanes) | ((sign | nan) & execution.lanes);
  cc.carry &= ~execution.lanes;
  cc.overflow &= ~execution.lanes;
}

void add_float_operations(OperationTable& table) {
  entry(table, Op::kFADD) = {fadd};
  entry(table, Op::kFMUL) = {fmul};
  entry(table, Op::kFFMA) = {ffma};
  entry(table, Op::kFMNMX) = {fmnmx};
  entry(table, Op::kFSET) = {fset};
  entry(table, Op::kFSETP) = {fsetp};
  entry(table, Op::kFCMP) = {fcmp};
  entry(table, Op::kFCHK) = {fchk};
  entry(table, Op::kSm70_FADD) = {fadd};
  entry(table, Op::kSm70_FMUL) = {fmul};
  entry(table, Op::kSm70_FFMA) = {ffma};
  entry(table, Op::kSm70_FSET) = {sm70_fset};
  entry(table, Op::kSm70_FSETP) = {fsetp};
  entry(table, Op::kSm70_FCHK) = {fchk};
  entry(table, Op::kSm70_UFADD) = {ufadd};
  entry(table, Op::kSm70_UFFMA) = {ffma};
  entry(table, Op::kSm70_UFMUL) = {fmul};
  entry(table, Op::kSm70_UFSETP) = {fsetp};
}

}  // namespace shflsim::isa
