// SPDX-License-Identifier: Apache-2.0
// Sums, products, minimum and maximum.
#include "isa/ptx/lowering.h"

namespace shflsim::isa::ptx {
namespace {

const std::vector<std::string> kRoundings = {"rn", "rz", "rm", "rp"};

std::string rounding(Modifiers& modifiers) {
  const std::string name = modifiers.take_one_of(kRoundings);
  if (name == "rz") return ".RZ";
  if (name == "rm") return ".RM";
  return name == "rp" ? ".RP" : "";
}

/// ".FTZ.RZ.SAT", as far as the statement says so.
std::string float_suffix(Modifiers& modifiers, Type type) {
  const std::string ftz = modifiers.take("ftz") ? ".FTZ" : "";
  const std::string round = rounding(modifiers);
  const std::string sat = modifiers.take("sat") ? ".SAT" : "";
  return type.bits == 64 ? round : ftz + round + sat;
}

[[noreturn]] void fail_type(const Lowering& to, const char* expected) {
  to.fail("'" + to.statement().opcode + "' on this type is not supported; expected " + expected);
}

Type arithmetic_type(Lowering& to, Modifiers& modifiers) {
  const Type type = modifiers.take_type();
  if (type.bits < 32) fail_type(to, "32 or 64 bits");
  return type;
}

void add_float(Lowering& to, Modifiers& modifiers, Type type, bool subtracts) {
  const std::string operation = (type.bits == 64 ? "DADD" : "FADD") + float_suffix(modifiers, type);
  modifiers.finish();
  const Term a = to.source(to.operand(1), type);
  const Term b = to.source(to.operand(2), type);
  to.emit(operation,
          {to.destination(to.operand(0), width_of(type)), a, subtracts ? negated(b) : b});
}

void add_pairs(Lowering& to, const Term& d, const Term& a, const Term& b, bool subtracts) {
  const auto second = [subtracts](Term term) { return subtracts ? negated(term) : term; };
  to.emit("IADD", {with_suffix(low(d), ".CC"), low(a), second(low(b))});
  to.emit("IADD.X", {high(d), high(a), second(high(b))});
}

void add_or_subtract(Lowering& to, Modifiers& modifiers, bool subtracts) {
  to.expect_operands(3, 3);
  const Type type = arithmetic_type(to, modifiers);
  if (type.is_float()) return add_float(to, modifiers, type, subtracts);
  const std::string sat = modifiers.take("sat") ? ".SAT" : "";
  modifiers.finish();
  const Term a = to.source(to.operand(1), type);
  uint64_t value = 0;
  const bool adds_number =
      !subtracts && width_of(type) == 1 && to.is_number(to.operand(2), type, &value);
  const Term b =
      adds_number ? to.short_source(to.operand(2), type) : to.source(to.operand(2), type);
  const Term d = to.destination(to.operand(0), width_of(type));
  if (type.bits == 64) return add_pairs(to, d, a, b, subtracts);
  to.emit("IADD" + sat, {d, a, subtracts ? negated(b) : b});
}

void add(Lowering& to, Modifiers& modifiers) { add_or_subtract(to, modifiers, false); }
void sub(Lowering& to, Modifiers& modifiers) { add_or_subtract(to, modifiers, true); }

/// a * b + c on 32 bits from 16-bit products, as ptxas writes it for sm_50.
void multiply_add_low(Lowering& to, const Term& d, const Term& a, const Term& b, const Term& c) {
  Term sum = to.temporary();
  Term cross = to.temporary();
  sum.written = cross.written = true;
  to.emit("XMAD", {sum, a, b, c});
  to.emit("XMAD.MRG", {cross, a, with_suffix(b, ".H1"), rz()});
  sum.written = cross.written = false;
  to.emit("XMAD.PSL.CBCC", {d, with_suffix(a, ".H1"), with_suffix(cross, ".H1"), sum});
}

/// The exponent of a power of two; -1 for another number.
int exponent_of(uint64_t value) {
  const bool is_power = value != 0 && (value & (value - 1)) == 0;
  return is_power ? __builtin_ctzll(value) : -1;
}

/// The 64-bit product of two words.
void multiply_wide(Lowering& to, const Term& d, Type type) {
  const Type word = {type.kind, 32};
  uint64_t value = 0;
  const bool is_number = to.is_number(to.operand(2), word, &value);
  const int exponent = is_number ? exponent_of(value & 0xFFFFFFFFu) : -1;
  const Term a = to.source(to.operand(1), word);
  Term product = to.temporary(2);
  product.written = true;
  if (exponent > 0 && exponent < 31) {
    to.emit("SHL", {low(product), a, number(exponent)});
    to.emit(type.is_signed() ? "SHR" : "SHR.U32", {high(product), a, number(32 - exponent)});
  } else {
    const std::string signs = type.is_signed() ? "" : ".U32.U32";
    const Term b = to.source(to.operand(2), word);
    to.emit("IMUL" + signs, {low(product), a, b});
    to.emit("IMUL" + signs + ".HI", {high(product), a, b});
  }
  product.written = false;
  to.emit("MOV", {low(d), low(product)});
  to.emit("MOV", {high(d), high(product)});
}

void multiply_low_pairs(Lowering& to, const Term& d, Type type) {
  const Term a = to.source(to.operand(1), type);
  const Term b = to.source(to.operand(2), type);
  Term product = to.temporary(2);
  Term upper = to.temporary();
  product.written = upper.written = true;
  to.emit("IMUL.U32.U32", {low(product), low(a), low(b)});
  to.emit("IMUL.U32.U32.HI", {upper, low(a), low(b)});
  Term sum = upper;
  sum.written = false;
  to.emit("IMAD.U32.U32", {upper, low(a), high(b), sum});
  to.emit("IMAD.U32.U32", {high(product), high(a), low(b), sum});
  product.written = false;
  to.emit("MOV", {low(d), low(product)});
  to.emit("MOV", {high(d), high(product)});
}

void multiply_integers(Lowering& to, Modifiers& modifiers, Type type) {
  const std::string part = modifiers.take_one_of({"lo", "hi", "wide"});
  modifiers.finish();
  if (part.empty()) to.fail("'mul' of integers without a part; expected .lo, .hi or .wide");
  if (part == "wide" && type.bits != 32) fail_type(to, "32 bits with .wide");
  if (part == "wide") return multiply_wide(to, to.destination(to.operand(0), 2), type);
  if (type.bits == 64 && part == "hi") fail_type(to, "32 bits with .hi");
  if (type.bits == 64) return multiply_low_pairs(to, to.destination(to.operand(0), 2), type);
  const Term a = to.source(to.operand(1), type);
  const Term b = to.source(to.operand(2), type);
  const Term d = to.destination(to.operand(0), 1);
  if (part == "lo") return multiply_add_low(to, d, a, b, rz());
  to.emit(type.is_signed() ? "IMUL.HI" : "IMUL.U32.U32.HI", {d, a, b});
}

void mul(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(3, 3);
  const Type type = arithmetic_type(to, modifiers);
  if (!type.is_float()) return multiply_integers(to, modifiers, type);
  const std::string operation = (type.bits == 64 ? "DMUL" : "FMUL") + float_suffix(modifiers, type);
  modifiers.finish();
  const Term a = to.source(to.operand(1), type);
  const Term b = to.source(to.operand(2), type);
  to.emit(operation, {to.destination(to.operand(0), width_of(type)), a, b});
}

void fuse_floats(Lowering& to, Modifiers& modifiers, Type type) {
  const std::string operation = (type.bits == 64 ? "DFMA" : "FFMA") + float_suffix(modifiers, type);
  modifiers.finish();
  const Term a = to.source(to.operand(1), type);
  const Term b = to.source(to.operand(2), type);
  const Term c = to.source(to.operand(3), type);
  to.emit(operation, {to.destination(to.operand(0), width_of(type)), a, b, c});
}

void mad_integers(Lowering& to, Modifiers& modifiers, Type type) {
  const std::string part = modifiers.take_one_of({"lo", "hi", "wide"});
  modifiers.finish();
  if (type.bits != 32 || part.empty()) fail_type(to, ".lo, .hi or .wide with 32 bits");
  if (part == "wide") {
    const Term c = to.source(to.operand(3), {type.kind, 64});
    Term product = to.temporary(2);
    product.written = true;
    multiply_wide(to, product, type);
    product.written = false;
    return add_pairs(to, to.destination(to.operand(0), 2), product, c, false);
  }
  const Term a = to.source(to.operand(1), type);
  const Term b = to.source(to.operand(2), type);
  const Term c = to.source(to.operand(3), type);
  const Term d = to.destination(to.operand(0), 1);
  if (part == "lo") return multiply_add_low(to, d, a, b, c);
  to.emit(type.is_signed() ? "IMAD.HI" : "IMAD.U32.U32.HI", {d, a, b, c});
}

void mad(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(4, 4);
  const Type type = arithmetic_type(to, modifiers);
  return type.is_float() ? fuse_floats(to, modifiers, type) : mad_integers(to, modifiers, type);
}

void fma(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(4, 4);
  const Type type = arithmetic_type(to, modifiers);
  if (!type.is_float()) fail_type(to, ".f32 or .f64");
  fuse_floats(to, modifiers, type);
}

/// MNMX takes the smaller one where its predicate is true.
void choose_extreme(Lowering& to, Modifiers& modifiers, const char* chosen) {
  to.expect_operands(3, 3);
  const Type type = arithmetic_type(to, modifiers);
  const bool ftz = type.is_float() && modifiers.take("ftz");
  modifiers.finish();
  if (type.bits == 64 && !type.is_float()) fail_type(to, "32 bits, or .f64");
  std::string operation = type.is_signed() ? "IMNMX" : "IMNMX.U32";
  if (type.is_float()) operation = type.bits == 64 ? "DMNMX" : ftz ? "FMNMX.FTZ" : "FMNMX";
  const Term a = to.source(to.operand(1), type);
  const Term b = to.source(to.operand(2), type);
  to.emit(operation, {to.destination(to.operand(0), width_of(type)), a, b, text(chosen)});
}

void min(Lowering& to, Modifiers& modifiers) { choose_extreme(to, modifiers, "PT"); }
void max(Lowering& to, Modifiers& modifiers) { choose_extreme(to, modifiers, "!PT"); }

void abs(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  const Type type = arithmetic_type(to, modifiers);
  const std::string ftz = type.is_float() && modifiers.take("ftz") ? ".FTZ" : "";
  modifiers.finish();
  if (type.bits == 64 && !type.is_float()) fail_type(to, "32 bits, or .f64");
  Term a = to.source(to.operand(1), type);
  a.before = a.after = "|";
  const Term d = to.destination(to.operand(0), width_of(type));
  if (!type.is_float()) {
    to.emit("I2I.S32.S32", {d, a});
  } else {
    to.emit(type.bits == 64 ? "DADD" : "FADD" + ftz, {d, a, negated(rz())});
  }
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
    to.emit("IADD", {with_suffix(low(d), ".CC"), rz(), negated(low(a))});
    to.emit("IADD.X", {high(d), rz(), negated(high(a))});
  } else {
    to.emit("IADD", {d, negated(a), rz()});
  }
}

}  // namespace

void add_arithmetic(LowerTable& table) {
  table["add"] = add;
  table["sub"] = sub;
  table["mul"] = mul;
  table["mad"] = mad;
  table["fma"] = fma;
  table["min"] = min;
  table["max"] = max;
  table["abs"] = abs;
  table["neg"] = neg;
}

}  // namespace shflsim::isa::ptx
