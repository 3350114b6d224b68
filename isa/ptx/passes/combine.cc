// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/passes/combine.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "isa/ptx/lines/line_word.h"
#include "isa/ptx/lines/operations.h"
#include "isa/ptx/lines/terms.h"
#include "isa/ptx/passes/simplify.h"

namespace shflsim::isa::ptx {
namespace {

/// Combines p ? min(a, b) : max(a, b), or max and min, into one MNMX controlled by p.
void choose_extreme(Line& line, const Operands& operands) {
  const Line* chosen = operands.made_by(line.terms[1]);
  const Line* other = operands.made_by(line.terms[2]);
  if (chosen == nullptr || other == nullptr || chosen->operation != other->operation) return;
  const bool is_extreme = chosen->op() == Op::kIMNMX || chosen->op() == Op::kFMNMX;
  if (!is_extreme || !line.terms[3].is(Term::Kind::kRegister)) return;
  const auto is_min = [](const Line& each) { return each.terms[3].is_true(); };
  const auto is_max = [](const Line& each) {
    return each.terms[3].is(Term::Kind::kTrue) && each.terms[3].negate;
  };
  const bool are_both = (is_min(*chosen) && is_max(*other)) || (is_max(*chosen) && is_min(*other));
  if (!are_both || !is_same(chosen->terms[1], other->terms[1]) ||
      !is_same(chosen->terms[2], other->terms[2])) {
    return;
  }
  Term by = line.terms[3];
  if (is_max(*chosen)) by.negate = !by.negate;
  become(line, chosen->operation, {line.terms[0], chosen->terms[1], chosen->terms[2], by});
}

/// Combines (a & b) != 0, or == 0, and (a & bit) == bit, or !=, into a LOP with a predicate.
void test_bits(Line& line, const Operands& operands) {
  const bool asks_equal = line.is(Mod::k_icmp, value::kEqual);
  const bool is_plain = line.terms[1].is_true() && line.terms[4].is_true() &&
                        line.is(Mod::k_bool_, value::kAnd) && !reads_carry(line);
  const Line* made = operands.made_by(line.terms[2]);
  const std::optional<uint32_t> against = number_of(line.terms[3]);
  if (!is_plain || made == nullptr || !against ||
      !(asks_equal || line.is(Mod::k_icmp, value::kNotEqual))) {
    return;
  }
  if (made->op() != Op::kLOP || made->operation.is_long() || made->terms.size() != 3) return;
  const std::optional<uint32_t> mask = number_of(made->terms[2]);
  const bool is_bit =
      made->is(Mod::k_logic, value::kAnd) && mask == against && __builtin_popcount(*against) == 1;
  if (*against != 0 && !is_bit) return;
  const uint8_t test = asks_equal == is_bit ? value::kTestNotZero : value::kTestZero;
  become(line, made->operation.with(Mod::k_ptest, test),
         {line.terms[0], rz(), made->terms[1], made->terms[2]});
}

bool is_bare_sum(const Line* line) {
  return line != nullptr && line->operation.is_exactly(Op::kIADD);
}

bool is_plain_or(const Line& line) {
  return line.operation.is_exactly(Op::kLOP, {{Mod::k_logic, value::kOr}});
}

/// Combines (a << n) + b into ISCADD.
void add_shifted(Line& line, const Operands& operands) {
  for (const size_t at : {size_t{1}, size_t{2}}) {
    const Line* made = operands.made_by(line.terms[at]);
    if (made == nullptr || !made->operation.is_exactly(Op::kSHL) || !made->terms[1].is_register())
      continue;
    const std::optional<uint32_t> count = number_of(made->terms[2]);
    if (!count || *count == 0 || *count > 31) continue;
    Term shifted = made->terms[1];
    shifted.negate = line.terms[at].negate;
    shifted.invert = line.terms[at].invert;
    shifted.absolute = line.terms[at].absolute;
    if (become(line, "ISCADD", {line.terms[0], shifted, line.terms[3 - at], number(*count)}))
      return;
  }
}

/// Replaces the upper word of (sign-extended word << n) by a SHR of the word.
void shift_extended(Line& line, const Operands& operands) {
  if (!line.operation.is_exactly(Op::kSHF_L, {{Mod::k_funnel, value::kPairUnsigned}})) return;
  const Line* upper = operands.made_by(line.terms[3]);
  const std::optional<uint32_t> count = number_of(line.terms[2]);
  if (upper == nullptr || !upper->operation.is_exactly(Op::kSHR) ||
      number_of(upper->terms[2]) != 31u)
    return;
  if (!count || *count == 0 || *count > 31 || !is_same(upper->terms[1], line.terms[1])) return;
  become(line, "SHR", {line.terms[0], line.terms[1], number(32 - static_cast<int64_t>(*count))});
}

/// Combines (a + b) + c into IADD3 if no carry is used: IADD3's carry is different.
void add_three(Line& line, const Operands& operands) {
  if (line.sets_cc) return;
  for (const size_t at : {size_t{1}, size_t{2}}) {
    const Line* made = operands.made_by(line.terms[at]);
    if (!is_bare_sum(made) || !operands.is_read_once(line.terms[at])) continue;
    const Term& other = line.terms[3 - at];
    const std::optional<uint32_t> number = number_in(other, operands.known);
    const int32_t value = number ? static_cast<int32_t>(*number) : 0;
    constexpr int32_t kLimit = 1 << 19;
    if (value < -kLimit || value >= kLimit || !made->terms[1].is_register()) continue;
    std::vector<Term> terms = {line.terms[0], made->terms[1], made->terms[2], other};
    if (line.terms[at].negate) {
      for (const size_t i : {size_t{1}, size_t{2}}) {
        if (!terms[i].is_register()) return;
        terms[i].negate = !terms[i].negate;
      }
    }
    if (!other.is_register()) std::swap(terms[2], terms[3]);
    if (terms[3].is_register() && become(line, "IADD3", terms)) return;
  }
}

/// Replaces m - (n - x) by x + (m - n), or by a move if m and n are equal.
void subtract_twice(Line& line, const Operands& operands) {
  const Line* made = operands.made_by(line.terms[1]);
  if (line.sets_cc || !is_bare_sum(made) || made->sets_cc) return;
  const std::optional<uint32_t> more = number_in(line.terms[2], operands.known);
  const std::optional<uint32_t> less = number_of(made->terms[2]);
  const Term& inner = made->terms[1];
  if (!line.terms[1].negate || !inner.negate || !more || !less) return;
  Term plain = inner;
  plain.negate = false;
  if (*more == *less) {
    become(line, "MOV", {line.terms[0], plain});
  } else {
    become(line, "IADD", {line.terms[0], plain, number(static_cast<int32_t>(*more - *less))});
  }
}

/// Combines the sum of (a << n) and (b >> 32 - n), whose bits are disjoint, into a funnel shift.
/// True if the line is such a sum; it is unchanged if it writes a carry, which is known to be 0.
bool join_shifts(Line& line, const Operands& operands) {
  for (const size_t at : {size_t{1}, size_t{2}}) {
    const Line* left = operands.made_by(line.terms[at]);
    const Line* right = operands.made_by(line.terms[3 - at]);
    const bool are_shifts = left != nullptr && right != nullptr &&
                            left->operation.is_exactly(Op::kSHL) &&
                            is_unsigned_right_shift(*right) && left->terms[1].is_register() &&
                            right->terms[1].is_register() && !line.terms[at].has_sign() &&
                            !line.terms[3 - at].has_sign();
    if (!are_shifts) continue;
    const std::optional<uint32_t> more = number_of(left->terms[2]);
    const std::optional<uint32_t> less = number_of(right->terms[2]);
    if (!more || !less || *more == 0 || *less == 0 || *more + *less != 32) continue;
    if (line.sets_cc) return true;
    return become(line, "SHF.L.W", {line.terms[0], right->terms[1], number(*more), left->terms[1]});
  }
  return false;
}

void combine_sum(Line& line, const Operands& operands) {
  if (!is_bare_sum(&line) || join_shifts(line, operands)) return;
  add_shifted(line, operands);
  if (is_bare_sum(&line)) subtract_twice(line, operands);
  if (is_bare_sum(&line)) add_three(line, operands);
}

/// The comparison that is true if this one is not; nullopt for NE, EQU, NUM and NAN of floats.
std::optional<Operation> inverse_of(const Operation& operation) {
  constexpr uint8_t kLastOfIntegers = 7;
  constexpr uint8_t kLastOfFloats = 15;
  const std::optional<uint8_t> integers = operation.value(Mod::k_icmp);
  if (integers) return operation.with(Mod::k_icmp, kLastOfIntegers - *integers);
  const uint8_t floats = operation.value(Mod::k_fcmp).value_or(0);
  const uint8_t inverse = kLastOfFloats - floats;
  const uint8_t ordered = std::min(floats, inverse);  // one of the two is an ordered comparison
  if (ordered == 0 || ordered == value::kNotEqual || ordered == value::kNumbers)
    return std::nullopt;
  return operation.with(Mod::k_fcmp, inverse);
}

/// Combines (a < b) and p, or (a < b) or p, into one comparison.
void compare_with_predicate(Line& line, const Operands& operands) {
  const std::optional<uint8_t> logic = line.operation.value(Mod::k_bool_);
  const bool is_plain = line.terms[1].is_true() && line.terms[4].is_true();
  if (!is_plain || logic == value::kXor || !line.is(Mod::k_bool2, value::kAnd)) return;
  for (const size_t at : {size_t{2}, size_t{3}}) {
    const Term other = line.terms[5 - at];
    const Line* made = other.is_register() ? operands.made_by(line.terms[at]) : nullptr;
    if (made == nullptr || !is_plain_comparison(*made) || !operands.is_read_once(line.terms[at])) {
      continue;
    }
    const std::optional<Operation> compares =
        line.terms[at].negate ? inverse_of(made->operation) : made->operation;
    if (!compares) continue;
    if (become(line, compares->with(Mod::k_bool_, *logic),
               {line.terms[0], line.terms[1], made->terms[2], made->terms[3], other})) {
      return;
    }
  }
}

/// Replaces an operand x + -0 by x with its sign and magnitude modifiers.
void take_signs(Line& line, const Operands& operands) {
  for (size_t at = 1; at < line.terms.size(); ++at) {
    const Term& term = line.terms[at];
    const Line* made = term.width == 1 ? operands.made_by(term) : nullptr;
    if (made == nullptr || !made->operation.is_exactly(Op::kFADD)) continue;
    Term taken = made->terms[1];
    const Term& zero = made->terms[2];
    if (!taken.is_register() || !zero.is(Term::Kind::kZero) || !zero.negate) continue;
    taken.negate = taken.negate != term.negate;
    std::vector<Term> terms = line.terms;
    terms[at] = taken;
    become(line, line.operation, terms);
  }
}

}  // namespace

bool is_same(const Term& a, const Term& b) {
  return a.kind == b.kind && a.value == b.value && a.offset == b.offset && a.bank == b.bank &&
         a.id == b.id && a.part == b.part && a.has_sign_of(b) && a.piece == b.piece;
}

bool become(Line& line, const Operation& operation, std::vector<Term> terms) {
  Line changed = line;
  changed.operation = operation;
  changed.terms = std::move(terms);
  if (!has_word(changed)) return false;
  line = std::move(changed);
  return true;
}

bool is_logic(const Line& line) {
  return line.op() == Op::kLOP && !line.operation.is_long() && line.terms.size() == 3 &&
         !line.sets_cc && !reads_carry(line);
}

bool is_plain_comparison(const Line& line) {
  return (line.op() == Op::kISETP || line.op() == Op::kFSETP) && line.terms.size() == 5 &&
         line.terms[1].is_true() && line.terms[4].is_true() && line.is(Mod::k_bool_, value::kAnd) &&
         !reads_carry(line);
}

void combine(Line& line, const Operands& operands) {
  switch (line.op()) {
    case Op::kSEL: return choose_extreme(line, operands);
    case Op::kISETP: return test_bits(line, operands);
    case Op::kPSETP: return compare_with_predicate(line, operands);
    case Op::kSHF_L: return shift_extended(line, operands);
    case Op::kIADD: return combine_sum(line, operands);
    case Op::kFADD:
    case Op::kFMUL:
    case Op::kFFMA:
    case Op::kFMNMX:
    case Op::kFSETP:
      if (!line.operation.is_long()) take_signs(line, operands);
      return;
    case Op::kLOP:
      if (is_plain_or(line) && join_shifts(line, operands)) return;
      [[fallthrough]];
    default: combine_logic(line, operands);
  }
}

}  // namespace shflsim::isa::ptx
