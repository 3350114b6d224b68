// SPDX-License-Identifier: Apache-2.0
// Products, and products added to something.
#include "isa/ptx/arithmetic.h"

namespace shflsim::isa::ptx {
namespace {

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

/// The product of 16 bits is one XMAD.
void multiply_halves(Lowering& to, const Term& d, Type type, const Term& c) {
  const Term a = to.source(to.operand(1), type);
  const Term b = to.source(to.operand(2), type);
  to.emit(type.is_signed() ? "XMAD.S16.S16" : "XMAD", {d, a, b, c});
}

Term low_product_of_pairs(Lowering& to, const Term& a, const Term& b) {
  const Term product = temporary_written(to, 2);
  const Term upper = temporary_written(to);
  to.emit("IMUL.U32.U32", {low(product), low(a), low(b)});
  to.emit("IMUL.U32.U32.HI", {upper, low(a), low(b)});
  to.emit("IMAD.U32.U32", {upper, low(a), high(b), read(upper)});
  to.emit("IMAD.U32.U32", {high(product), high(a), low(b), read(upper)});
  return read(product);
}

/// The upper 64 of 128 bits: four products of words, and for signed factors what their signs
/// subtract.
Term high_product_of_pairs(Lowering& to, const Term& a, const Term& b, bool is_signed) {
  const auto product = [&to](const char* part, const Term& x, const Term& y) {
    const Term result = temporary_written(to);
    to.emit(std::string("IMUL.U32.U32") + part, {result, x, y});
    return read(result);
  };
  const auto sum = [&to](const char* operation, const char* carry, const Term& x, const Term& y) {
    const Term result = temporary_written(to);
    to.emit(operation, {with_suffix(result, carry), x, y});
    return read(result);
  };
  const Term carry = product(".HI", low(a), low(b));
  const Term cross_low = product("", low(a), high(b));
  const Term cross_high = product(".HI", low(a), high(b));
  const Term other_low = product("", high(a), low(b));
  const Term other_high = product(".HI", high(a), low(b));
  const Term top_low = product("", high(a), high(b));
  const Term top_high = product(".HI", high(a), high(b));
  const Term middle = sum("IADD", ".CC", carry, cross_low);
  const Term first = sum("IADD.X", ".CC", cross_high, top_low);
  const Term second = sum("IADD.X", "", top_high, rz());
  sum("IADD", ".CC", middle, other_low);
  const Term third = sum("IADD.X", ".CC", first, other_high);
  Term result = temporary_written(to, 2);
  to.emit("IADD.X", {high(result), second, rz()});
  to.emit("MOV", {low(result), third});
  for (const auto& [sign, other] : {std::pair<Term, Term>{a, b}, {b, a}}) {
    if (!is_signed) break;
    const Term mask = temporary_written(to);
    const Term part = temporary_written(to, 2);
    to.emit("SHR", {mask, high(sign), number(31)});
    to.emit("LOP.AND", {low(part), low(other), read(mask)});
    to.emit("LOP.AND", {high(part), high(other), read(mask)});
    const Term less = temporary_written(to, 2);
    add_pairs(to, less, read(result), read(part), true);
    result = read(less);
  }
  return read(result);
}

void multiply_pairs(Lowering& to, Type type, bool wants_high) {
  const Term a = to.source(to.operand(1), type);
  const Term b = to.source(to.operand(2), type);
  const Term product = wants_high ? high_product_of_pairs(to, a, b, type.is_signed())
                                  : low_product_of_pairs(to, a, b);
  move(to, to.destination(to.operand(0), 2), product);
}

void multiply_high_halves(Lowering& to, const Term& d, Type type) {
  const Term product = temporary_written(to);
  multiply_halves(to, product, type, rz());
  to.emit("SHR.U32", {d, read(product), number(16)});
}

void multiply_integers(Lowering& to, Modifiers& modifiers, Type type) {
  const std::string part = modifiers.take_one_of({"lo", "hi", "wide"});
  modifiers.finish();
  if (part.empty()) to.fail("'mul' of integers without a part; expected .lo, .hi or .wide");
  if (part == "wide" && type.bits == 64) fail_type(to, "16 or 32 bits with .wide");
  if (part == "wide" && type.bits == 32) {
    return multiply_wide(to, to.destination(to.operand(0), 2), type);
  }
  if (type.bits == 64) return multiply_pairs(to, type, part == "hi");
  const Term d = to.destination(to.operand(0), 1);
  if (part == "wide") return multiply_halves(to, d, type, rz());
  if (type.bits == 16 && part == "hi") return multiply_high_halves(to, d, type);
  const Term a = to.source(to.operand(1), type);
  const Term b = to.source(to.operand(2), type);
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

void mad_wide(Lowering& to, Type type) {
  const Term c = to.source(to.operand(3), {type.kind, 64});
  const Term product = temporary_written(to, 2);
  multiply_wide(to, product, type);
  add_pairs(to, to.destination(to.operand(0), 2), read(product), c, false);
}

void mad_pairs(Lowering& to, Type type, bool wants_high) {
  const Term a = to.source(to.operand(1), type);
  const Term b = to.source(to.operand(2), type);
  const Term c = to.source(to.operand(3), type);
  const Term product = wants_high ? high_product_of_pairs(to, a, b, type.is_signed())
                                  : low_product_of_pairs(to, a, b);
  add_pairs(to, to.destination(to.operand(0), 2), product, c, false);
}

void mad_integers(Lowering& to, Modifiers& modifiers, Type type) {
  const std::string part = modifiers.take_one_of({"lo", "hi", "wide"});
  modifiers.finish();
  const bool known =
      !part.empty() && !(part == "wide" && type.bits == 64) && !(part == "hi" && type.bits == 16);
  if (!known) fail_type(to, ".lo, .hi (32 or 64 bits) or .wide (16 or 32)");
  if (part == "wide" && type.bits == 32) return mad_wide(to, type);
  if (type.bits == 64) return mad_pairs(to, type, part == "hi");
  const Term c = to.source(to.operand(3), {type.kind, 32});
  const Term d = to.destination(to.operand(0), 1);
  if (part == "wide") return multiply_halves(to, d, type, c);
  const Term a = to.source(to.operand(1), type);
  const Term b = to.source(to.operand(2), type);
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

}  // namespace

void add_multiplication(LowerTable& table) {
  table["mul"] = mul;
  table["mad"] = mad;
  table["fma"] = fma;
}

}  // namespace shflsim::isa::ptx
