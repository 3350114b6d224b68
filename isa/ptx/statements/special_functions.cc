// SPDX-License-Identifier: Apache-2.0
// Instructions with .approx, which the special function unit computes.
#include "isa/ptx/statements/lowering.h"

namespace shflsim::isa::ptx {
namespace {

constexpr Type kFloat = {'f', 32};

Term mufu(Lowering& to, const std::string& operation, const Term& a) {
  const Term result = temporary_written(to);
  to.emit("MUFU." + operation, {result, a});
  return read(result);
}

void read_rough_float(Lowering& to, Modifiers& modifiers, bool* ftz) {
  to.expect_operands(2, 2);
  const bool is_rough = modifiers.take("approx");
  *ftz = modifiers.take("ftz");
  const Type type = modifiers.take_type();
  modifiers.finish();
  if (!is_rough) to.fail("'" + to.statement().opcode + "' without .approx; expected it");
  if (!type.is_float() || type.bits != 32) {
    to.fail("'" + to.statement().opcode + "' on this type is not supported; expected .f32");
  }
}

/// The operand after range reduction by RRO.
Term reduced(Lowering& to, const std::string& how, const Term& a) {
  const Term result = temporary_written(to);
  to.emit("RRO." + how, {result, a});
  return read(result);
}

void wave(Lowering& to, Modifiers& modifiers, const std::string& operation) {
  bool ftz = false;
  read_rough_float(to, modifiers, &ftz);
  const Term a = to.source(to.operand(1), kFloat);
  const Term angle = reduced(to, "SINCOS", a);
  to.emit("MUFU." + operation, {to.destination(to.operand(0), 1), angle});
}

void sin(Lowering& to, Modifiers& modifiers) { wave(to, modifiers, "SIN"); }
void cos(Lowering& to, Modifiers& modifiers) { wave(to, modifiers, "COS"); }

/// The operand, times `factor` if it is less than `bound` (both as bits); `is_small` says so.
Term scaled(Lowering& to, const Term& a, int64_t bound, int64_t factor, Term* is_small) {
  *is_small = temporary_written(to, 0);
  const Term limit = temporary_written(to);
  const Term times = temporary_written(to);
  const Term product = temporary_written(to);
  const Term result = temporary_written(to);
  to.emit("MOV32I", {limit, number(bound)});
  to.emit("MOV32I", {times, number(factor)});
  to.emit("FSETP.LT.AND", {*is_small, pt(), a, read(limit), pt()});
  is_small->written = false;
  to.emit("FMUL", {product, a, read(times)});
  to.emit("SEL", {result, read(product), a, *is_small});
  return read(result);
}

/// The unit flushes denormal results: small operands are halved, and the result is squared.
void ex2(Lowering& to, Modifiers& modifiers) {
  constexpr int64_t kLeast = 0xC2FC0000;  // -126
  constexpr int64_t kHalf = 0x3F000000;
  bool ftz = false;
  read_rough_float(to, modifiers, &ftz);
  Term is_small;
  Term a = to.source(to.operand(1), kFloat);
  if (!ftz) a = scaled(to, a, kLeast, kHalf, &is_small);
  const Term power = mufu(to, "EX2", reduced(to, "EX2", a));
  const Term d = to.destination(to.operand(0), 1);
  if (ftz) {
    to.emit("MOV", {d, power});
    return;
  }
  const Term square = temporary_written(to);
  to.emit("FMUL", {square, power, power});
  to.emit("SEL", {d, read(square), power, is_small});
}

/// The unit treats denormals as zero: they are multiplied by 2^24, and 24 is subtracted.
void lg2(Lowering& to, Modifiers& modifiers) {
  constexpr int64_t kLeastNormal = 0x00800000;
  constexpr int64_t k2To24 = 0x4B800000;
  constexpr int64_t kMinus24 = 0xC1C00000;
  bool ftz = false;
  read_rough_float(to, modifiers, &ftz);
  Term is_small;
  Term a = to.source(to.operand(1), kFloat);
  if (!ftz) a = scaled(to, a, kLeastNormal, k2To24, &is_small);
  const Term logarithm = mufu(to, "LG2", a);
  const Term d = to.destination(to.operand(0), 1);
  if (ftz) {
    to.emit("MOV", {d, logarithm});
    return;
  }
  const Term shift = temporary_written(to);
  const Term less = temporary_written(to);
  to.emit("MOV32I", {shift, number(kMinus24)});
  to.emit("FADD", {less, logarithm, read(shift)});
  to.emit("SEL", {d, read(less), logarithm, is_small});
}

void rsqrt(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  const bool is_rough = modifiers.take("approx");
  modifiers.take("ftz");
  const Type type = modifiers.take_type();
  modifiers.finish();
  if (!is_rough) to.fail("'rsqrt' without .approx; expected it");
  take_seed(to, "MUFU.RSQ", type);
}

}  // namespace

void take_seed(Lowering& to, const std::string& operation, Type type) {
  if (!type.is_float() || type.bits < 32) {
    to.fail("'" + to.statement().opcode + "' on this type is not supported; expected .f32 or .f64");
  }
  const Term a = to.source(to.operand(1), type);
  const Term d = to.destination(to.operand(0), width_of(type));
  if (type.bits == 32) {
    to.emit(operation, {d, a});
    return;
  }
  to.emit(operation + "64H", {high(d), high(a)});
  to.emit("MOV", {low(d), rz()});
}

void divide_roughly(Lowering& to, const Term& a, const Term& b, const std::string& ftz) {
  const Term inverse = mufu(to, "RCP", b);
  to.emit("FMUL" + ftz, {to.destination(to.operand(0), 1), a, inverse});
}

void take_rough_root(Lowering& to) {
  const Term a = to.source(to.operand(1), kFloat);
  const Term inverse = mufu(to, "RSQ", a);
  to.emit("MUFU.RCP", {to.destination(to.operand(0), 1), inverse});
}

void add_special_functions(LowerTable& table) {
  table["sin"] = sin;
  table["cos"] = cos;
  table["ex2"] = ex2;
  table["lg2"] = lg2;
  table["rsqrt"] = rsqrt;
}

}  // namespace shflsim::isa::ptx
