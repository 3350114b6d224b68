// SPDX-License-Identifier: Apache-2.0
// Double precision.
#include "isa/machine/alu/double_arithmetic.h"
#include "isa/machine/alu/float_lanes.h"
#include "isa/machine/float_sums.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

using LaneDoubles = std::array<double, kLanes>;

/// A register pair, constant or immediate with absolute value and negation applied.
LaneDoubles double_operand(const Execution& execution, Role role) {
  const SourceOperand low(execution, role, 0);
  const SourceOperand high(execution, role, 1);
  const Operand& operand = execution.operand(role);
  LaneDoubles values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint64_t bits = uint64_t{high[lane]} << 32 | low[lane];
    values[lane] = as_operand(bits, operand.absolute, operand.negate);
  }
  return values;
}

void write_double(Execution& execution, const LaneDoubles& values) {
  LaneValues low, high;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint64_t bits = bits_of(values[lane]);
    low[lane] = static_cast<uint32_t>(bits);
    high[lane] = static_cast<uint32_t>(bits >> 32);
  }
  write_result(execution, low, 0);
  write_result(execution, high, 1);
}

void dadd(Execution& execution) {
  const LaneDoubles a = double_operand(execution, Role::kA);
  const LaneDoubles b = double_operand(execution, Role::kB);
  const Rounding rounding = rounding_of(execution.instruction);
  LaneDoubles values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    values[lane] = with_nan(add_rounded(a[lane], b[lane], rounding), {a[lane], b[lane]});
  }
  write_double(execution, values);
}

void dmul(Execution& execution) {
  const LaneDoubles a = double_operand(execution, Role::kA);
  const LaneDoubles b = double_operand(execution, Role::kB);
  const Rounding rounding = rounding_of(execution.instruction);
  LaneDoubles values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    values[lane] = with_nan(multiply_rounded(a[lane], b[lane], rounding), {a[lane], b[lane]});
  }
  write_double(execution, values);
}

void dfma(Execution& execution) {
  const LaneDoubles a = double_operand(execution, Role::kA);
  const LaneDoubles b = double_operand(execution, Role::kB);
  const LaneDoubles c = double_operand(execution, Role::kC);
  const Rounding rounding = rounding_of(execution.instruction);
  LaneDoubles values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const double result = fused_rounded(a[lane], b[lane], c[lane], rounding);
    values[lane] = with_nan(result, {a[lane], b[lane], c[lane]});
  }
  write_double(execution, values);
}

/// True if x is the minimum or maximum by FMNMX's rule: a number is preferred to a NaN, -0 is below
/// +0.
bool takes_first(double x, double y, bool lesser) {
  const bool x_below = x < y || (x == y && bits_of(x) > bits_of(y));
  return y != y ? x == x : x == x && x_below == lesser;
}

void dmnmx(Execution& execution) {
  const LaneDoubles a = double_operand(execution, Role::kA);
  const LaneDoubles b = double_operand(execution, Role::kB);
  const LaneMask minimum = predicate_of(execution, Role::kS);
  LaneDoubles values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const double x = a[lane], y = b[lane];
    const bool both_nan = x != x && y != y;
    values[lane] = both_nan || takes_first(x, y, bit_of(minimum, lane)) ? x : y;
  }
  write_double(execution, values);
}

Relation relation_of_doubles(const Execution& execution) {
  const LaneDoubles a = double_operand(execution, Role::kA);
  const LaneDoubles b = double_operand(execution, Role::kB);
  return float_relation([&](unsigned lane) { return a[lane]; },
                        [&](unsigned lane) { return b[lane]; });
}

void dset(Execution& execution) {
  const LaneMask test = holds(relation_of_doubles(execution), execution.instruction[Mod::k_fcmp]);
  write_set(execution,
            combine(execution.instruction[Mod::k_bool_], test, predicate_of(execution, Role::kS)));
}

void dsetp(Execution& execution) {
  write_set_predicates(execution,
                       holds(relation_of_doubles(execution), execution.instruction[Mod::k_fcmp]));
}

/// DSETP.MIN and .MAX: P = a is the minimum or maximum, Q = both are NaN; selections that follow
/// use them.
void choose(Execution& execution, bool lesser) {
  const LaneDoubles a = double_operand(execution, Role::kA);
  const LaneDoubles b = double_operand(execution, Role::kB);
  const LaneMask s = predicate_of(execution, Role::kS);
  const uint8_t operation = execution.instruction[Mod::k_bool_];
  const LaneMask first =
      lanes_where([&](unsigned lane) { return takes_first(a[lane], b[lane], lesser); });
  const LaneMask nan =
      lanes_where([&](unsigned lane) { return a[lane] != a[lane] && b[lane] != b[lane]; });
  write_predicate(execution, Role::kP, combine(operation, first, s));
  write_predicate(execution, Role::kQ, combine(operation, nan, s));
}

void sm70_dsetp(Execution& execution) {
  constexpr uint8_t kLesser = 0, kGreater = 15;
  const uint8_t comparison = execution.instruction[Mod::k_dcmp];
  if (comparison == kLesser || comparison == kGreater)
    return choose(execution, comparison == kLesser);
  write_set_predicates(execution, holds(relation_of_doubles(execution), comparison));
}

}  // namespace

uint64_t double_sum(uint64_t a, uint64_t b) {
  const double x = as_double(a), y = as_double(b);
  return bits_of(with_nan(add_rounded(x, y, Rounding::kNearest), {x, y}));
}

void add_double_operations(OperationTable& table) {
  entry(table, Op::kDADD) = {dadd, refuse_cc};
  entry(table, Op::kDMUL) = {dmul, refuse_cc};
  entry(table, Op::kDFMA) = {dfma, refuse_cc};
  entry(table, Op::kDMNMX) = {dmnmx, refuse_cc};
  entry(table, Op::kDSET) = {dset};
  entry(table, Op::kDSETP) = {dsetp};
  entry(table, Op::kSm70_DADD) = {dadd};
  entry(table, Op::kSm70_DMUL) = {dmul};
  entry(table, Op::kSm70_DFMA) = {dfma};
  entry(table, Op::kSm70_DSETP) = {sm70_dsetp};
}

}  // namespace shflsim::isa
