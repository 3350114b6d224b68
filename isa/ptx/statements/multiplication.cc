// SPDX-License-Identifier: Apache-2.0
// Products, and products with an addend.
#include "isa/ptx/statements/arithmetic.h"

namespace shflsim::isa::ptx {
namespace {

Term upper_half(const Term& term) { return piece_of(term, Piece::kUpperHalf); }

/// a * b + c on 32 bits from 16-bit products, as ptxas writes it for sm_50.
void multiply_add_low(Lowering& to, const Term& d, const Term& a, const Term& b, const Term& c) {
  const Term sum = temporary_written(to);
  const Term cross = temporary_written(to);
  to.emit("XMAD", {sum, a, b, c});
  to.emit("XMAD.MRG", {cross, a, upper_half(b), rz()});
  to.emit("XMAD.PSL.CBCC", {d, upper_half(a), upper_half(read(cross)), read(sum)});
}

/// The exponent of a power of two; -1 for another number.
int exponent_of(uint64_t value) {
  const bool is_power = value != 0 && (value & (value - 1)) == 0;
  return is_power ? __builtin_ctzll(value) : -1;
}

/// What is known of the second factor of a product of words.
struct Factor {
  Term term;
  bool is_short = false;  ///< a number of 16 bits, in `term`
  int exponent = -1;      ///< exponent if the factor is a power of two
};

Factor number_factor(uint32_t value) {
  constexpr uint32_t kMostShort = 0xFFFF;
  Factor factor;
  factor.exponent = exponent_of(value);
  factor.is_short = value <= kMostShort;
  if (factor.is_short) factor.term = number(value);
  return factor;
}

Factor factor_of(Lowering& to, const Operand& operand, Type word) {
  uint64_t value = 0;
  Factor factor;
  if (to.is_number(operand, word, &value)) factor = number_factor(static_cast<uint32_t>(value));
  if (!factor.is_short) factor.term = to.source(operand, word);
  return factor;
}

Term product_of_halves(Lowering& to, const std::string& suffix, const Term& a, const Term& b,
                       const Term& c) {
  const Term result = temporary_written(to);
  to.emit("XMAD" + suffix, {result, a, b, c});
  return read(result);
}

/// A product of words in progress. Both result words use the product of the lower halves.
struct Product {
  Term a;
  Factor b;
  bool is_signed = false;
  Term lowest;
};

Product begin_product(Lowering& to, const Term& a, const Factor& b, bool is_signed) {
  return {a, b, is_signed, product_of_halves(to, "", a, b.term, rz())};
}

/// Writes the upper word of the product to d, as ptxas does.
void upper_word(Lowering& to, const Term& d, const Product& p) {
  const Term a = upper_half(p.a);
  const std::string mixed = p.is_signed ? ".S16.U16" : "";
  const Term upper = product_of_halves(to, mixed + ".CHI", a, p.b.term, p.lowest);
  if (p.b.is_short) {
    to.emit(p.is_signed ? "SHR" : "SHR.U32", {d, upper, number(16)});
    return;
  }
  const Term b = upper_half(p.b.term);
  const Term cross = product_of_halves(to, p.is_signed ? ".U16.S16" : "", p.a, b, rz());
  const Term highest = product_of_halves(to, p.is_signed ? ".S16.S16.CSFU" : "", a, b, rz());
  to.emit("IADD3.RS", {d, upper, cross, highest});
}

/// Writes the lower word of the product to d.
void lower_word(Lowering& to, const Term& d, const Product& p) {
  if (p.b.is_short) {
    to.emit("XMAD.PSL", {d, upper_half(p.a), p.b.term, p.lowest});
    return;
  }
  const Term cross = product_of_halves(to, ".MRG", p.a, upper_half(p.b.term), rz());
  to.emit("XMAD.PSL.CBCC", {d, upper_half(p.a), upper_half(cross), p.lowest});
}

Term multiply_high(Lowering& to, const Term& a, const Factor& b, bool is_signed) {
  const Term result = temporary_written(to);
  upper_word(to, result, begin_product(to, a, b, is_signed));
  return read(result);
}

/// The 64-bit product of two words.
Term multiply_words(Lowering& to, const Term& a, const Factor& b, bool is_signed) {
  const Term product = temporary_written(to, 2);
  if (b.exponent > 0 && b.exponent < 31) {
    to.emit("SHL", {low(product), a, number(b.exponent)});
    to.emit(is_signed ? "SHR" : "SHR.U32", {high(product), a, number(32 - b.exponent)});
    return read(product);
  }
  const Product words = begin_product(to, a, b, is_signed);
  lower_word(to, low(product), words);
  upper_word(to, high(product), words);
  return read(product);
}

Term multiply_wide(Lowering& to, Type type) {
  const Type word = {type.kind, 32};
  const Term a = to.source(to.operand(1), word);
  return multiply_words(to, a, factor_of(to, to.operand(2), word), type.is_signed());
}

/// The product of 16 bits is one XMAD.
void multiply_halves(Lowering& to, const Term& d, Type type, const Term& c) {
  const Term a = to.source(to.operand(1), type);
  const Term b = to.source(to.operand(2), type);
  to.emit(type.is_signed() ? "XMAD.S16.S16" : "XMAD", {d, a, b, c});
}

/// The lower 64 bits: the product of the lower words, with cross products added to its upper word.
Term low_product_of_pairs(Lowering& to, const Term& a) {
  constexpr Type kPair = {'u', 64};
  uint64_t value = 0;
  const bool is_number = to.is_number(to.operand(2), kPair, &value);
  const Term b = to.source(to.operand(2), kPair);
  Factor lower = number_factor(static_cast<uint32_t>(value));
  if (!is_number) lower = {};
  if (!lower.is_short) lower.term = low(b);
  const Term sum = multiply_words(to, low(a), lower, false);
  const Term product = temporary_written(to, 2);
  Term upper = high(sum);
  if (!is_number || value >> 32 != 0) {
    const Term more = temporary_written(to);
    multiply_add_low(to, more, low(a), high(b), upper);
    upper = read(more);
  }
  to.emit("MOV", {low(product), low(sum)});
  if (!lower.is_short) {
    multiply_add_low(to, high(product), high(a), lower.term, upper);
  } else {
    const Term cross = product_of_halves(to, "", high(a), lower.term, upper);
    to.emit("XMAD.PSL", {high(product), upper_half(high(a)), lower.term, cross});
  }
  return read(product);
}

/// The upper 64 of 128 bits: four products of words; for each negative signed factor, the other
/// factor is subtracted.
Term high_product_of_pairs(Lowering& to, const Term& a, const Term& b, bool is_signed) {
  const auto product = [&to](const Term& x, const Term& y) {
    return multiply_words(to, x, {y}, false);
  };
  const auto sum = [&to](const Operation& operation, bool leaves, const Term& x, const Term& y) {
    const Term result = temporary_written(to);
    to.emit(operation, {result, x, y}).sets_cc = leaves;
    return read(result);
  };
  const Term carry = multiply_high(to, low(a), {low(b)}, false);
  const Term cross = product(low(a), high(b));
  const Term second_cross = product(high(a), low(b));
  const Term top = product(high(a), high(b));
  const Term middle = sum("IADD", true, carry, low(cross));
  const Term first = sum("IADD.X", true, high(cross), low(top));
  const Term second = sum("IADD.X", false, high(top), rz());
  sum("IADD", true, middle, low(second_cross));
  const Term third = sum("IADD.X", true, first, high(second_cross));
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

Term product_of_pairs(Lowering& to, Type type, bool wants_high) {
  const Term a = to.source(to.operand(1), type);
  if (!wants_high) return low_product_of_pairs(to, a);
  return high_product_of_pairs(to, a, to.source(to.operand(2), type), type.is_signed());
}

void multiply_pairs(Lowering& to, Type type, bool wants_high) {
  const Term product = product_of_pairs(to, type, wants_high);
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
    return move(to, to.destination(to.operand(0), 2), multiply_wide(to, type));
  }
  if (type.bits == 64) return multiply_pairs(to, type, part == "hi");
  const Term d = to.destination(to.operand(0), 1);
  if (part == "wide") return multiply_halves(to, d, type, rz());
  if (type.bits == 16 && part == "hi") return multiply_high_halves(to, d, type);
  const Term a = to.source(to.operand(1), type);
  if (part == "lo") {
    return multiply_add_low(to, d, a, to.source(to.operand(2), type), rz());
  }
  const Factor b = factor_of(to, to.operand(2), type);
  to.emit("MOV", {d, multiply_high(to, a, b, type.is_signed())});
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
  add_pairs(to, to.destination(to.operand(0), 2), multiply_wide(to, type), c, false);
}

/// Saves the carry over lines that overwrite it; restores it by adding all ones to the saved bit.
class KeptCarry {
 public:
  KeptCarry(Lowering& to, bool keeps) : to_(to), keeps_(keeps) {
    if (!keeps_) return;
    carry_ = temporary_written(to_);
    to_.emit("IADD.X", {carry_, rz(), rz()});
  }
  void put_back() {
    if (keeps_) to_.emit("IADD", {rz(), read(carry_), number(-1)}).sets_cc = true;
  }

 private:
  Lowering& to_;
  bool keeps_;
  Term carry_;
};

void mad_pairs(Lowering& to, Type type, bool wants_high, Chain chain) {
  KeptCarry carry(to, chain.takes && wants_high);
  const Term product = product_of_pairs(to, type, wants_high);
  carry.put_back();
  const Term c = to.source(to.operand(3), type);
  add_pairs(to, to.destination(to.operand(0), 2), product, c, false, chain);
}

/// Lowers mad in a carry chain: the product is complete before the sum that reads the carry.
void mad_in_chain(Lowering& to, Type type, bool wants_high, Chain chain) {
  const Term a = to.source(to.operand(1), type);
  const Factor b = factor_of(to, to.operand(2), type);
  const Term c = to.source(to.operand(3), type);
  const Term product =
      wants_high ? multiply_high(to, a, b, type.is_signed()) : low(multiply_words(to, a, b, false));
  const Term d = to.destination(to.operand(0), 1);
  to.emit(chain.takes ? "IADD.X" : "IADD", {d, product, c}).sets_cc = chain.leaves;
}

void mad_integers(Lowering& to, Modifiers& modifiers, Type type, Chain chain) {
  const std::string part = modifiers.take_one_of({"lo", "hi", "wide"});
  chain.leaves = modifiers.take("cc");
  modifiers.finish();
  const bool known =
      !part.empty() && !(part == "wide" && type.bits == 64) && !(part == "hi" && type.bits == 16);
  if (!known) fail_type(to, ".lo, .hi (32 or 64 bits) or .wide (16 or 32)");
  const bool in_chain = chain.takes || chain.leaves;
  if (in_chain && (part == "wide" || type.bits == 16)) fail_type(to, ".lo or .hi of 32 or 64 bits");
  if (part == "wide" && type.bits == 32) return mad_wide(to, type);
  if (type.bits == 64) return mad_pairs(to, type, part == "hi", chain);
  if (in_chain) return mad_in_chain(to, type, part == "hi", chain);
  const Term c = to.source(to.operand(3), {type.kind, 32});
  const Term d = to.destination(to.operand(0), 1);
  if (part == "wide") return multiply_halves(to, d, type, c);
  const Term a = to.source(to.operand(1), type);
  if (part == "lo") return multiply_add_low(to, d, a, to.source(to.operand(2), type), c);
  const Factor b = factor_of(to, to.operand(2), type);
  to.emit("IADD", {d, multiply_high(to, a, b, type.is_signed()), c});
}

void mad(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(4, 4);
  const Type type = arithmetic_type(to, modifiers);
  return type.is_float() ? fuse_floats(to, modifiers, type) : mad_integers(to, modifiers, type, {});
}

void mad_with_carry(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(4, 4);
  const Type type = arithmetic_type(to, modifiers);
  if (type.is_float()) fail_type(to, "integers of 32 or 64 bits");
  mad_integers(to, modifiers, type, {true, false});
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
  table["madc"] = mad_with_carry;
  table["fma"] = fma;
}

}  // namespace shflsim::isa::ptx
