// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/passes/simplify.h"

#include <algorithm>
#include <utility>

#include "isa/ptx/lines/line_word.h"
#include "isa/ptx/lines/operations.h"
#include "isa/ptx/lines/terms.h"
#include "isa/ptx/passes/simplify_bits.h"

namespace shflsim::isa::ptx {
namespace {

using Kind = Term::Kind;

std::optional<uint32_t> with_sign(const Term& term, std::optional<uint32_t> value) {
  const bool is_changed =
      term.piece != Piece::kAll || term.absolute || (term.negate && term.invert);
  if (!value || is_changed) return std::nullopt;
  if (term.negate) return 0 - *value;
  return term.invert ? ~*value : *value;
}

using Numbers = std::optional<uint32_t>;

bool is_plain_sum(const Operation& operation) {
  return operation.op() == Op::kIADD && !operation.has(Mod::k_sat) && !operation.has(Mod::k_x);
}

bool is_plain_right_shift(const Operation& operation) {
  return operation.op() == Op::kSHR && !operation.has(Mod::k_wrap) && !operation.has(Mod::k_x) &&
         !operation.has(Mod::k_brev);
}

uint32_t shifted_right(const Operation& operation, uint32_t a, uint32_t b) {
  if (operation.is(Mod::k_unsigned_, value::kUnsigned)) return b > 31 ? 0 : a >> b;
  return static_cast<uint32_t>(static_cast<int32_t>(a) >> std::min(b, 31u));
}

/// The result of an operation on two numbers; nullopt for operations that are not known here.
Numbers computed(const Operation& operation, uint32_t a, uint32_t b) {
  if (is_plain_sum(operation)) return a + b;
  if (operation.is_exactly(Op::kSHL)) return b > 31 ? 0 : a << b;
  if (is_plain_right_shift(operation)) return shifted_right(operation, a, b);
  const bool is_logic = operation.op() == Op::kLOP && !operation.is(Mod::k_logic, value::kPassB);
  return is_logic ? logic_of(operation, a, b) : std::nullopt;
}

/// The operand (1 or 2) that is the result because the other one is neutral; 0 for neither.
size_t neutral_to(const Operation& operation, const Numbers& a, const Numbers& b) {
  const uint32_t neutral = operation.is(Mod::k_logic, value::kAnd) ? ~0u : 0;
  const bool is_shift = operation.is_exactly(Op::kSHL) || is_plain_right_shift(operation);
  const bool is_logic = operation.op() == Op::kLOP && !operation.is(Mod::k_logic, value::kPassB);
  const bool is_sum = is_plain_sum(operation);
  if (b == neutral && (is_shift || is_sum || is_logic)) return 1;
  return a == neutral && (is_sum || is_logic) ? 2 : 0;
}

bool is_plain_binary(const Line& line) {
  const Op op = line.op();
  const bool is_binary = op == Op::kIADD || op == Op::kLOP || op == Op::kSHL || op == Op::kSHR;
  return is_binary && line.terms.size() == 3 && !line.sets_cc && !reads_carry(line);
}

bool is_same_register(const Term& a, const Term& b) {
  return a.is(Kind::kRegister) && b.is(Kind::kRegister) && a.id == b.id && a.part == b.part &&
         a.has_sign_of(b);
}

void simplify_binary(Line& line, const KnownOf& known) {
  const Numbers a = number_in(line.terms[1], known);
  const Numbers b = number_in(line.terms[2], known);
  if (a && b) {
    const Numbers result = computed(line.operation, *a, *b);
    if (result) return become_move(line, number_term(*result));
  }
  const bool is_and = line.is(Mod::k_logic, value::kAnd);
  if (is_and && (a == 0u || b == 0u)) return become_move(line, rz());
  const bool is_xor = line.operation.is_exactly(Op::kLOP, {{Mod::k_logic, value::kXor}});
  if (is_xor && is_same_register(line.terms[1], line.terms[2])) return become_move(line, rz());
  const size_t chosen = neutral_to(line.operation, a, b);
  if (chosen != 0 && !line.terms[chosen].has_sign()) become_move(line, line.terms[chosen]);
}

/// Replaces SEL by PT or !PT by a move.
void simplify_choice(Line& line) {
  const Term& by = line.terms[3];
  if (by.is(Kind::kTrue)) become_move(line, line.terms[by.negate ? 2 : 1]);
}

/// Replaces x * 0 + c by c.
void simplify_product(Line& line, const KnownOf& known) {
  const bool is_zero =
      number_in(line.terms[1], known) == 0u || number_in(line.terms[2], known) == 0u;
  if (is_zero && !line.terms[3].has_sign() && !line.sets_cc) become_move(line, line.terms[3]);
}

/// Simplifies the middle product of 32 bits, a * upper half of b, with b's lower half above it: it
/// is known if b has 16 bits.
void simplify_cross(Line& line, const KnownOf& known) {
  const Term& b = line.terms[2];
  const bool is_upper = b.piece == Piece::kUpperHalf && !b.has_sign();
  const Value* factor = is_upper ? known(b) : nullptr;
  const bool adds_nothing = number_in(line.terms[3], known) == 0u;
  if (factor == nullptr || !factor->number || (*factor->number >> 16) != 0 || !adds_nothing) return;
  become_move(line, number_term(*factor->number << 16));
}

/// Drops CBCC, which adds b << 16, if b's lower half is 0.
void drop_lower_factor(Line& line, const KnownOf& known) {
  const Value* factor = known(line.terms[2]);
  if (factor == nullptr || !factor->number || (*factor->number & 0xFFFFu) != 0) return;
  line.operation = line.operation.with(Mod::k_xmode, 0);
}

/// Replaces an operand and the operation; false if the result cannot be encoded.
bool take_operand(Line& line, size_t at, const Term& term, const Operation& operation) {
  Line changed = line;
  changed.terms[at] = term;
  changed.operation = operation;
  if (!has_word(changed)) return false;
  line = std::move(changed);
  return true;
}

/// The operation with an immediate of 32 bits.
std::optional<Operation> lengthened(const Line& line) {
  switch (line.op()) {
    case Op::kIADD:
    case Op::kLOP:
    case Op::kMOV:
    case Op::kFADD:
    case Op::kFMUL: return line.operation.lengthened();
    default: return std::nullopt;
  }
}

bool take_number(Line& line, size_t at, uint32_t value) {
  const Term& term = line.terms[at];
  if (!takes_integers(line.op())) return false;
  // With a carry, "-" takes the complement: the carry is the missing 1.
  const bool is_complement = reads_carry(line) && term.negate;
  const std::optional<uint32_t> signed_value = is_complement ? ~value : with_sign(term, value);
  if (!signed_value || at != 2) return false;
  if (take_operand(line, at, number_term(*signed_value), line.operation)) return true;
  const std::optional<Operation> wide = lengthened(line);
  return wide && take_operand(line, at, number(int64_t{*signed_value}), *wide);
}

bool is_finite(uint32_t bits) {
  constexpr uint32_t kExponent = 0x7F800000;
  return (bits & kExponent) != kExponent;
}

bool takes_float(Op op) {
  return op == Op::kFADD || op == Op::kFMUL || op == Op::kFFMA || op == Op::kFMNMX;
}

/// Float immediates: short ones have the upper 20 bits; long ones (FADD and FMUL) have all 32.
bool take_float(Line& line, size_t at, uint32_t value) {
  const Term& term = line.terms[at];
  if (at != 2 || !takes_float(line.op())) return false;
  if (!is_finite(value) || term.invert || term.absolute || term.piece != Piece::kAll) return false;
  if (term.negate) value ^= 0x80000000u;
  const Term folded = float_term(value);
  if ((value & 0xFFFu) == 0) return take_operand(line, at, folded, line.operation);
  const std::optional<Operation> wide = lengthened(line);
  return wide && take_operand(line, at, folded, *wide);
}

/// True for a * b + c of lower or upper halves without other modifiers: "XMAD" or "XMAD.PSL".
bool is_plain_product(const Line& line) {
  return line.operation.is_exactly(Op::kXMAD) ||
         line.operation.is_exactly(Op::kXMAD, {{Mod::k_psl, 1}});
}

/// Folds a known factor of a 16-bit product, which is half of a register.
bool take_factor(Line& line, size_t at, uint32_t value) {
  if (at != 2 || !is_plain_product(line)) return false;
  const Term& term = line.terms[at];
  const uint32_t half = term.piece == Piece::kUpperHalf ? value >> 16 : value & 0xFFFFu;
  return !term.has_sign() && take_operand(line, at, number_term(half), line.operation);
}

/// The comparison of integers with its sides exchanged: GT for LT. Nullopt for .X: its carry is
/// that of a - b.
std::optional<Operation> mirrored(const Operation& operation) {
  if (operation.has(Mod::k_x)) return std::nullopt;
  static constexpr std::pair<uint8_t, uint8_t> kPairs[] = {
      {value::kLess, value::kGreater},
      {value::kGreater, value::kLess},
      {value::kLessOrEqual, value::kGreaterOrEqual},
      {value::kGreaterOrEqual, value::kLessOrEqual},
      {value::kEqual, value::kEqual},
      {value::kNotEqual, value::kNotEqual}};
  for (const auto& [from, to] : kPairs) {
    if (operation.is(Mod::k_icmp, from)) return operation.with(Mod::k_icmp, to);
  }
  return std::nullopt;
}

/// Exchanges operands a and b; false if that would change the result.
bool exchange(Line& line) {
  if (line.op() == Op::kSEL) {
    std::swap(line.terms[1], line.terms[2]);
    line.terms[3].negate = !line.terms[3].negate;
    if (number_of(line.terms[1]) == 0u) line.terms[1] = rz();
    return true;
  }
  const bool is_comparison = line.op() == Op::kISETP;
  const std::optional<Operation> operation =
      is_comparison ? mirrored(line.operation) : line.operation;
  if (!operation || !(is_comparison || is_plain_product(line) || commutes(line))) return false;
  line.operation = *operation;
  const size_t first = is_comparison ? 2 : 1;
  std::swap(line.terms[first], line.terms[first + 1]);
  return true;
}

/// Returns `other` with the modifiers of `term`.
Term with_sign_of(const Term& term, Term other) {
  other.negate = term.negate;
  other.invert = term.invert;
  other.absolute = term.absolute;
  other.piece = term.piece;
  return other;
}

bool fold(Line& line, size_t at, const KnownOf& known) {
  const Term term = line.terms[at];
  const Value* value = known(term);
  if (value == nullptr || (!value->number && !value->constant)) return false;
  if (!value->number) {
    const Term folded = with_sign_of(term, *value->constant);
    return take_operand(line, at, folded, line.operation);
  }
  if (*value->number == 0) {
    return take_operand(line, at, with_sign_of(term, rz()), line.operation);
  }
  // b is the fourth operand of a comparison, after two predicates and a.
  if (line.op() == Op::kISETP && at == 3) {
    const std::optional<uint32_t> number = with_sign(term, value->number);
    return number && take_operand(line, at, number_term(*number), line.operation);
  }
  return take_number(line, at, *value->number) || take_factor(line, at, *value->number) ||
         take_float(line, at, *value->number);
}

}  // namespace

Term number_term(uint32_t value) { return number(static_cast<int32_t>(value)); }

std::optional<uint32_t> number_in(const Term& term, const KnownOf& known) {
  const Value* value = known(term);
  return value == nullptr ? number_of(term) : with_sign(term, value->number);
}

void become_move(Line& line, Term from) {
  const Term to = line.terms.front();
  const std::optional<uint32_t> value = number_of(from);
  line.operation = value && *value != 0 ? "MOV32I" : "MOV";
  if (value) from = *value == 0 ? rz() : number(int64_t{*value});
  line.terms = {to, from};
}

std::optional<uint32_t> number_of(const Term& term) {
  if (term.is(Kind::kZero)) return with_sign(term, 0u);
  if (!term.is(Kind::kNumber)) return std::nullopt;
  return with_sign(term, static_cast<uint32_t>(term.value));
}

void simplify(Line& line, const KnownOf& known) {
  if (is_plain_binary(line)) {
    simplify_binary(line, known);
  } else if (line.op() == Op::kSEL) {
    simplify_choice(line);
  } else if (line.operation.is_exactly(Op::kXMAD, {{Mod::k_mrg, 1}})) {
    simplify_cross(line, known);
  } else if (line.operation.is_exactly(Op::kXMAD,
                                       {{Mod::k_psl, 1}, {Mod::k_xmode, value::kAddLowerFactor}})) {
    drop_lower_factor(line, known);
  }
  if (is_plain_product(line)) simplify_product(line, known);
  simplify_bits(line, known);
}

void fold_operands(Line& line, const KnownOf& known) {
  if (line.target >= 0) return;
  for (size_t at = line.terms.size(); at-- > 0;) {
    if (fold(line, at, known)) continue;
    const Value* value = known(line.terms[at]);
    const bool may_fold = value != nullptr && (value->number || value->constant);
    if (!may_fold) continue;
    Line exchanged = line;
    if (!exchange(exchanged)) continue;
    const size_t first = line.op() == Op::kISETP ? 2 : 1;
    if (at == first && fold(exchanged, at + 1, known)) line = exchanged;
  }
}

}  // namespace shflsim::isa::ptx
