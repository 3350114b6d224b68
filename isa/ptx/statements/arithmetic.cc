// SPDX-License-Identifier: Apache-2.0
// Sums, differences, minimum, maximum, absolute value and negation.
#include "isa/ptx/statements/arithmetic.h"

namespace shflsim::isa::ptx {
namespace {

const std::vector<std::string> kRoundings = {"rn", "rz", "rm", "rp"};

std::string rounding(Modifiers& modifiers) {
  const std::string name = modifiers.take_one_of(kRoundings);
  if (name == "rz") return ".RZ";
  if (name == "rm") return ".RM";
  return name == "rp" ? ".RP" : "";
}

void add_float(Lowering& to, Modifiers& modifiers, Type type, bool subtracts) {
  const std::string operation = (type.bits == 64 ? "DADD" : "FADD") + float_suffix(modifiers, type);
  modifiers.finish();
  const Term a = to.source(to.operand(1), type);
  const Term b = to.source(to.operand(2), type);
  to.emit(operation,
          {to.destination(to.operand(0), width_of(type)), a, subtracts ? negated(b) : b});
}

void add_or_subtract(Lowering& to, Modifiers& modifiers, bool subtracts, Chain chain = {}) {
  to.expect_operands(3, 3);
  const Type type = arithmetic_type(to, modifiers);
  if (type.is_float()) return add_float(to, modifiers, type, subtracts);
  const std::string sat = modifiers.take("sat") ? ".SAT" : "";
  chain.leaves = modifiers.take("cc");
  modifiers.finish();
  if (type.bits < 32 && !sat.empty()) fail_type(to, ".s32 with .sat");
  const Term a = to.source(to.operand(1), type);
  uint64_t value = 0;
  const bool adds_number =
      !subtracts && width_of(type) == 1 && to.is_number(to.operand(2), type, &value);
  const Term b =
      adds_number ? to.short_source(to.operand(2), type) : to.source(to.operand(2), type);
  const Term d = to.destination(to.operand(0), width_of(type));
  if (type.bits == 64) return add_pairs(to, d, a, b, subtracts, chain);
  Line& sum = to.emit((chain.takes ? "IADD.X" : "IADD") + sat, {d, a, subtracts ? negated(b) : b});
  sum.sets_cc = chain.leaves;
}

void add_with_carry(Lowering& to, Modifiers& modifiers) {
  add_or_subtract(to, modifiers, false, {true, false});
}
void subtract_with_carry(Lowering& to, Modifiers& modifiers) {
  add_or_subtract(to, modifiers, true, {true, false});
}
void add(Lowering& to, Modifiers& modifiers) { add_or_subtract(to, modifiers, false); }
void sub(Lowering& to, Modifiers& modifiers) { add_or_subtract(to, modifiers, true); }

/// Minimum and maximum of 64-bit integers, which have no instruction: a comparison and selections.
void choose_pair(Lowering& to, Type type, bool takes_less) {
  const Term a = to.source(to.operand(1), type);
  const Term b = to.source(to.operand(2), type);
  const Term is_less = temporary_written(to, 0);
  const std::string sign = type.is_signed() ? "" : ".U32";
  to.emit("IADD", {rz(), low(a), negated(low(b))}).sets_cc = true;
  to.emit("ISETP.LT" + sign + ".X.AND", {is_less, pt(), high(a), high(b), pt()});
  const Term takes_first = takes_less ? read(is_less) : negated(read(is_less));
  const Term d = to.destination(to.operand(0), 2);
  to.emit("SEL", {low(d), low(a), low(b), takes_first});
  to.emit("SEL", {high(d), high(a), high(b), takes_first});
}

/// MNMX returns the smaller operand if its predicate is true.
void choose_extreme(Lowering& to, Modifiers& modifiers, bool takes_less) {
  to.expect_operands(3, 3);
  const Type type = arithmetic_type(to, modifiers);
  const bool ftz = type.is_float() && modifiers.take("ftz");
  modifiers.finish();
  if (type.bits == 64 && !type.is_float()) return choose_pair(to, type, takes_less);
  std::string operation = type.is_signed() ? "IMNMX" : "IMNMX.U32";
  if (type.is_float()) operation = type.bits == 64 ? "DMNMX" : ftz ? "FMNMX.FTZ" : "FMNMX";
  const Term a = extended(to, to.operand(1), type);
  const Term b = extended(to, to.operand(2), type);
  to.emit(operation, {to.destination(to.operand(0), width_of(type)), a, b, truth(takes_less)});
}

void min(Lowering& to, Modifiers& modifiers) { choose_extreme(to, modifiers, true); }
void max(Lowering& to, Modifiers& modifiers) { choose_extreme(to, modifiers, false); }

/// |a| = (a ^ m) - m; every bit of m is the sign.
void absolute_pair(Lowering& to, Type type) {
  const Term a = to.source(to.operand(1), type);
  const Term mask = temporary_written(to);
  const Term turned = temporary_written(to, 2);
  to.emit("SHR", {mask, high(a), number(31)});
  to.emit("LOP.XOR", {low(turned), low(a), read(mask)});
  to.emit("LOP.XOR", {high(turned), high(a), read(mask)});
  const Term d = to.destination(to.operand(0), 2);
  to.emit("IADD", {low(d), low(read(turned)), negated(read(mask))}).sets_cc = true;
  to.emit("IADD.X", {high(d), high(read(turned)), negated(read(mask))});
}

void abs(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  const Type type = arithmetic_type(to, modifiers);
  const std::string ftz = type.is_float() && modifiers.take("ftz") ? ".FTZ" : "";
  modifiers.finish();
  if (type.bits == 64 && !type.is_float()) return absolute_pair(to, type);
  Term a = extended(to, to.operand(1), type);
  a.absolute = true;
  const Term d = to.destination(to.operand(0), width_of(type));
  if (!type.is_float()) {
    to.emit("I2I.S32.S32", {d, a});
  } else {
    to.emit(type.bits == 64 ? "DADD" : "FADD" + ftz, {d, a, negated(rz())});
  }
}

/// Lowers sad: d = |a - b| + c.
void sad(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(4, 4);
  const Type type = arithmetic_type(to, modifiers);
  modifiers.finish();
  if (type.bits == 64 || type.is_float()) fail_type(to, "integers of 16 or 32 bits");
  const std::string operation = type.is_signed() ? "IMNMX" : "IMNMX.U32";
  const Term a = extended(to, to.operand(1), type);
  const Term b = extended(to, to.operand(2), type);
  const Term c = to.source(to.operand(3), type);
  const Term more = temporary_written(to);
  const Term less = temporary_written(to);
  const Term apart = temporary_written(to);
  to.emit(operation, {more, a, b, truth(false)});
  to.emit(operation, {less, a, b, pt()});
  to.emit("IADD", {apart, read(more), negated(read(less))});
  to.emit("IADD", {to.destination(to.operand(0), 1), read(apart), c});
}

void neg(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  const Type type = arithmetic_type(to, modifiers);
  const std::string ftz = type.is_float() && modifiers.take("ftz") ? ".FTZ" : "";
  modifiers.finish();
  const Term a = to.source(to.operand(1), type);
  const Term d = to.destination(to.operand(0), width_of(type));
  if (type.is_float()) {
    to.emit(type.bits == 64 ? "DADD" : "FADD" + ftz, {d, negated(a), negated(rz())});
  } else if (type.bits == 64) {
    to.emit("IADD", {low(d), rz(), negated(low(a))}).sets_cc = true;
    to.emit("IADD.X", {high(d), rz(), negated(high(a))});
  } else {
    to.emit("IADD", {d, negated(a), rz()});
  }
}

}  // namespace

/// The suffix for the statement's modifiers, such as ".FTZ.RZ.SAT".
std::string float_suffix(Modifiers& modifiers, Type type) {
  const std::string ftz = modifiers.take("ftz") ? ".FTZ" : "";
  const std::string round = rounding(modifiers);
  const std::string sat = modifiers.take("sat") ? ".SAT" : "";
  return type.bits == 64 ? round : ftz + round + sat;
}

void fail_type(const Lowering& to, const char* expected) {
  to.fail("'" + to.statement().opcode + "' on this type is not supported; expected " + expected);
}

Type arithmetic_type(Lowering& to, Modifiers& modifiers) {
  const Type type = modifiers.take_type();
  if (type.bits < (type.is_float() ? 32 : 16)) {
    fail_type(to, "integers of 16 bits or more, or floats of 32 or 64");
  }
  return type;
}

void add_pairs(Lowering& to, const Term& d, const Term& a, const Term& b, bool subtracts,
               Chain chain) {
  const auto second = [subtracts](const Term& term) { return subtracts ? negated(term) : term; };
  const Operation first = chain.takes ? "IADD.X" : "IADD";
  to.emit(first, {low(d), low(a), second(low(b))}).sets_cc = true;
  to.emit("IADD.X", {high(d), high(a), second(high(b))}).sets_cc = chain.leaves;
}

void add_arithmetic(LowerTable& table) {
  table["add"] = add;
  table["sub"] = sub;
  table["addc"] = add_with_carry;
  table["subc"] = subtract_with_carry;
  table["sad"] = sad;
  table["min"] = min;
  table["max"] = max;
  table["abs"] = abs;
  table["neg"] = neg;
}

}  // namespace shflsim::isa::ptx
