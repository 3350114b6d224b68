// SPDX-License-Identifier: Apache-2.0
// Quotients and square roots, for which SPA 5.0 has no instructions.
// Most are functions of the library; this file has the others, and floats computed as doubles.
#include "isa/ptx/statements/lowering.h"

namespace shflsim::isa::ptx {
namespace {

// --- floats as doubles: 53 bits are more than 2 * 24 + 2, so that rounding twice is correct
// ----

Term in_double(Lowering& to, const Term& a, const std::string& ftz) {
  const Term wide = temporary_written(to, 2);
  to.emit("F2F" + ftz + ".F64.F32", {wide, a});
  return read(wide);
}

Term fused(Lowering& to, const Term& a, const Term& b, const Term& c) {
  const Term result = temporary_written(to, 2);
  to.emit("DFMA", {result, a, b, c});
  return read(result);
}

Term one(Lowering& to) {
  const Term result = temporary_written(to, 2);
  to.emit("MOV32I", {low(result), number(0)});
  to.emit("MOV32I", {high(result), number(0x3FF00000)});
  return read(result);
}

/// MUFU's seed: the upper word of the result for the upper word of the operand.
Term seed(Lowering& to, const char* operation, const Term& a) {
  const Term result = temporary_written(to, 2);
  to.emit("MOV", {low(result), rz()});
  to.emit(operation, {high(result), high(a)});
  return read(result);
}

/// The part of a result's suffix that applies to the operands: ".FTZ" or "".
std::string ftz_of(const std::string& suffix) {
  return suffix.compare(0, 4, ".FTZ") == 0 ? ".FTZ" : "";
}

/// The rounded float, or a zero if the double is less than a normal float before rounding.
Term flushed(Lowering& to, const Term& rounded, const Term& exact) {
  const Term cut = temporary_written(to);
  const Term is_zero = temporary_written(to, 0);
  Term result = temporary_written(to);
  to.emit("F2F.FTZ.F32.F64.RZ", {cut, exact});
  to.emit("FSETP.EQ.AND", {is_zero, pt(), read(cut), rz(), pt()});
  to.emit("SEL", {result, read(cut), read(rounded), read(is_zero)});
  return result;
}

/// Writes the rounded double, or for zeros, infinities and NaNs the special function unit's result.
void finish_float(Lowering& to, const Term& exact, const Term& special, const Term& is_special,
                  const std::string& suffix) {
  const Term chosen = temporary_written(to, 2);
  to.emit("SEL", {low(chosen), low(special), low(exact), is_special});
  to.emit("SEL", {high(chosen), high(special), high(exact), is_special});
  const std::string ftz = ftz_of(suffix);
  Term rounded = temporary_written(to);
  to.emit("F2F" + ftz + ".F32.F64" + suffix.substr(ftz.size()), {rounded, read(chosen)});
  if (!ftz.empty()) rounded = flushed(to, rounded, read(chosen));
  // A sum turns any NaN into the one NaN of floats.
  to.emit("FADD", {to.destination(to.operand(0), 1), read(rounded), negated(rz())});
}

/// True if the float is zero, infinite or NaN, or if `so_far` is: the other operand's predicate.
Term is_special(Lowering& to, const Term& wide, const Term& so_far) {
  constexpr int64_t kInfinity = 0x7FF00000;
  const Term magnitude_bits = temporary_written(to);
  const Term is_large = temporary_written(to, 0);
  const Term result = temporary_written(to, 0);
  const Term bound = temporary_written(to);
  to.emit("LOP32I.AND", {magnitude_bits, high(wide), number(0x7FFFFFFF)});
  to.emit("MOV32I", {bound, number(kInfinity)});
  to.emit("ISETP.GE.U32.OR", {is_large, pt(), read(magnitude_bits), read(bound), so_far});
  to.emit("ISETP.EQ.U32.OR", {result, pt(), read(magnitude_bits), rz(), read(is_large)});
  return read(result);
}

void divide_floats(Lowering& to, const Term& a, const Term& b, const std::string& suffix) {
  const std::string ftz = ftz_of(suffix);
  const Term unity = one(to);
  const Term divisor = in_double(to, b, ftz);
  const Term dividend = in_double(to, a, ftz);
  const Term guess = seed(to, "MUFU.RCP64H", divisor);
  Term inverse = guess;
  for (int step = 0; step < 3; ++step) {
    inverse = fused(to, inverse, fused(to, inverse, negated(divisor), unity), inverse);
  }
  const Term quotient = temporary_written(to, 2);
  const Term special = temporary_written(to, 2);
  to.emit("DMUL", {quotient, dividend, inverse});
  to.emit("DMUL", {special, dividend, guess});
  const Term rest = fused(to, read(quotient), negated(divisor), dividend);
  const Term exact = fused(to, rest, inverse, read(quotient));
  const Term odd = is_special(to, dividend, is_special(to, divisor, truth(false)));
  finish_float(to, exact, read(special), odd, suffix);
}

/// The suffix of the result, such as ".FTZ.RP".
std::string result_suffix(Lowering& to, Modifiers& modifiers) {
  const std::string rounding = modifiers.take_one_of({"rn", "rz", "rm", "rp"});
  const std::string ftz = modifiers.take("ftz") ? ".FTZ" : "";
  if (rounding.empty()) {
    to.fail("'" + to.statement().opcode + "' without a rounding; expected .rn, .rz, .rm, .rp or " +
            ".approx");
  }
  return ftz + (rounding == "rz"   ? ".RZ"
                : rounding == "rm" ? ".RM"
                : rounding == "rp" ? ".RP"
                                   : "");
}

/// Refuses a division of integers: the library has all that are supported.
[[noreturn]] void no_such_division(Lowering& to) {
  to.fail("'" + to.statement().opcode +
          "' on this type is not supported; expected integers of 16, 32 or 64 bits");
}

void rem(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(3, 3);
  modifiers.take_type();
  modifiers.finish();
  no_such_division(to);
}

void expect_float(Lowering& to, Type type) {
  if (type.is_float() && type.bits == 32) return;
  to.fail("'" + to.statement().opcode + "' on this type is not supported; expected .f32");
}

void div(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(3, 3);
  const bool is_rough = !modifiers.take_one_of({"approx", "full"}).empty();
  if (is_rough) {
    const std::string ftz = modifiers.take("ftz") ? ".FTZ" : "";
    expect_float(to, modifiers.take_type());
    modifiers.finish();
    const Term a = to.source(to.operand(1), {'f', 32});
    const Term b = to.source(to.operand(2), {'f', 32});
    return divide_roughly(to, a, b, ftz);
  }
  const std::vector<std::string>& parts = to.statement().parts;
  const bool is_float = !parts.empty() && parts.back()[0] == 'f';
  const std::string suffix = is_float ? result_suffix(to, modifiers) : "";
  const Type type = modifiers.take_type();
  modifiers.finish();
  if (!is_float) no_such_division(to);
  expect_float(to, type);
  const Term a = to.source(to.operand(1), type);
  const Term b = to.source(to.operand(2), type);
  divide_floats(to, a, b, suffix);
}

/// Lowers sqrt.approx; the roots that are rounded are in the library.
void sqrt(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  if (!modifiers.take("approx")) {
    to.fail("'sqrt' without a rounding; expected .rn, .rz, .rm, .rp or .approx");
  }
  modifiers.take("ftz");
  expect_float(to, modifiers.take_type());
  modifiers.finish();
  take_rough_root(to);
}

void rcp(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  const bool is_rough = modifiers.take("approx");
  const std::string suffix = is_rough ? "" : result_suffix(to, modifiers);
  if (is_rough) modifiers.take("ftz");
  const Type type = modifiers.take_type();
  modifiers.finish();
  if (is_rough) return take_seed(to, "MUFU.RCP", type);
  expect_float(to, type);
  const Term b = to.source(to.operand(1), type);
  const Term unity = temporary_written(to);
  to.emit("MOV32I", {unity, number(0x3F800000)});
  divide_floats(to, read(unity), b, suffix);
}

}  // namespace

void add_division(LowerTable& table) {
  table["div"] = div;
  table["rem"] = rem;
  table["sqrt"] = sqrt;
  table["rcp"] = rcp;
  table["$div"] = div;
  table["$rcp"] = rcp;
}

}  // namespace shflsim::isa::ptx
