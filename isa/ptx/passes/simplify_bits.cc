// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/passes/simplify_bits.h"

#include <algorithm>

#include "isa/ptx/lines/operations.h"
#include "isa/ptx/lines/terms.h"
#include "isa/ptx/passes/combine.h"

namespace shflsim::isa::ptx {
namespace {

using Numbers = std::optional<uint32_t>;

constexpr uint32_t kAll = ~0u;

uint32_t lowest(unsigned count) { return count > 31 ? kAll : (1u << count) - 1; }

/// The bits of an operand that are known to be 0 or 1.
struct Bits {
  uint32_t zeros = 0;
  uint32_t ones = 0;
};

Bits bits_of(const Term& term, const KnownOf& known) {
  const Numbers number = number_in(term, known);
  if (number) return {~*number, *number};
  const Value* value = known(term);
  const bool is_whole = value != nullptr && !term.has_sign() && term.is_whole();
  return is_whole ? Bits{value->zeros, 0} : Bits{};
}

void become_shift(Line& line, const Operation& operation, const Term& from, unsigned count) {
  if (count == 0) return become_move(line, from);
  become(line, operation, {line.terms[0], from, number(count)});
}

/// Simplifies the lower word of a right shift of a pair.
void simplify_right_funnel(Line& line, unsigned count, const KnownOf& known) {
  const bool is_signed = line.is(Mod::k_funnel, value::kPairSigned);
  const Term low = line.terms[1];
  const Term high = line.terms[3];
  if (count >= 32) {
    const unsigned rest = is_signed ? std::min(count - 32, 31u) : count - 32;
    if (rest == 32) return become_move(line, rz());
    return become_shift(line, is_signed ? "SHR" : "SHR.U32", high, rest);
  }
  if (count == 0 || number_in(high, known) == 0u) become_shift(line, "SHR.U32", low, count);
}

/// Simplifies the upper word of a left shift of a pair.
void simplify_left_funnel(Line& line, unsigned count, const KnownOf& known) {
  const Term low = line.terms[1];
  const Term high = line.terms[3];
  if (count == 64) return become_move(line, rz());
  if (count >= 32) return become_shift(line, "SHL", low, count - 32);
  if (count == 0 || number_in(low, known) == 0u) return become_shift(line, "SHL", high, count);
  if (number_in(high, known) == 0u) become_shift(line, "SHR.U32", low, 32 - count);
}

void simplify_funnel(Line& line, const KnownOf& known) {
  const Numbers count = number_in(line.terms[2], known);
  if (!count || line.terms[1].has_sign() || line.terms[3].has_sign()) return;
  const unsigned held = std::min(*count, 64u);
  if (line.op() == Op::kSHF_L) return simplify_left_funnel(line, held, known);
  simplify_right_funnel(line, held, known);
}

Term inverted_if(Term term, bool inverts) {
  term.negate = term.absolute = false;
  term.invert = inverts;
  return term;
}

/// Replaces the line by a LOP with a truth table of two operands: row 2 * a + b.
void become_logic(Line& line, const Term& a, const Term& b, unsigned table) {
  const Term d = line.terms[0];
  const auto pass = [&](const Term& x, bool inverts) {
    if (!inverts) return become_move(line, x);
    become(line, "LOP.PASS_B", {d, rz(), inverted_if(x, true)});
  };
  if (table == 0) return become_move(line, rz());
  if (table == 0xC || table == 0x3) return pass(a, table == 0x3);
  if (table == 0xA || table == 0x5) return pass(b, table == 0x5);
  if (table == 0x6 || table == 0x9) {
    become(line, "LOP.XOR", {d, a, inverted_if(b, table == 0x9)});
    return;
  }
  const bool is_and = __builtin_popcount(table) == 1;
  if (table == 0xF) return;
  // The one row where the result differs from the others says which operands are inverted.
  const unsigned row = static_cast<unsigned>(__builtin_ctz(is_and ? table : table ^ 0xFu));
  const bool wants_a = ((row & 2u) != 0) == is_and;
  const bool wants_b = ((row & 1u) != 0) == is_and;
  become(line, is_and ? "LOP.AND" : "LOP.OR",
         {d, inverted_if(a, !wants_a), inverted_if(b, !wants_b)});
}

/// The rows of a LOP3's table in which operand `at` (1 to 3) is `value`.
unsigned rows_with(unsigned table, size_t at, bool value) {
  unsigned rows = 0;
  unsigned count = 0;
  for (unsigned row = 0; row < 8; ++row) {
    if ((((row >> (3 - at)) & 1u) != 0) != value) continue;
    rows |= ((table >> row) & 1u) << count++;
  }
  return rows;
}

/// Simplifies LOP3 if one operand is all zeros or all ones.
void simplify_table(Line& line, const KnownOf& known) {
  const Numbers table = number_of(line.terms[4]);
  if (!table) return;
  for (size_t at = 1; at <= 3; ++at) {
    const Numbers value = number_in(line.terms[at], known);
    if (value != 0u && value != kAll) continue;
    const Term a = line.terms[at == 1 ? 2 : 1];
    const Term b = line.terms[at == 3 ? 2 : 3];
    return become_logic(line, a, b, rows_with(*table, at, *value != 0));
  }
}

void simplify_extreme(Line& line, const KnownOf& known) {
  const Numbers a = number_in(line.terms[1], known);
  const Numbers b = number_in(line.terms[2], known);
  const Term& by = line.terms[3];
  if (!a || !b || !by.is(Term::Kind::kTrue)) return;
  const bool is_less = line.is(Mod::k_unsigned_, value::kUnsigned)
                           ? *a < *b
                           : static_cast<int32_t>(*a) < static_cast<int32_t>(*b);
  become_move(line, number_term(is_less != by.negate ? *a : *b));
}

/// A field of bits that an instruction takes out of its operand.
struct Field {
  unsigned first = 0;
  unsigned count = 0;
  bool is_signed = false;
};

/// The field of an I2I from a byte or half to a word of the same signedness; else nullopt.
std::optional<Field> field_converted(const Line& line) {
  const std::optional<uint8_t> from = line.operation.value(Mod::k_ifrom);
  const std::optional<uint8_t> to = line.operation.value(Mod::k_ito);
  if (line.op() != Op::kI2I || line.has(Mod::k_sat) || !from || !to) return std::nullopt;
  if (!line.terms[1].is_whole()) return std::nullopt;
  if (*to == value::kIntegerU32 && *from <= value::kIntegerU16) {
    return Field{0, 8u << *from, false};
  }
  const bool extends_sign = *to == value::kIntegerS32 && *from >= value::kIntegerS8;
  if (!extends_sign || *from > value::kIntegerS16) return std::nullopt;
  return Field{0, 8u << (*from - value::kIntegerS8), true};
}

std::optional<Field> field_of(const Line& line) {
  if (const std::optional<Field> field = field_converted(line)) return field;
  if (line.op() != Op::kBFE || line.has(Mod::k_brev)) return std::nullopt;
  const Numbers where = number_of(line.terms[2]);
  if (!where) return std::nullopt;
  const bool is_signed = !line.is(Mod::k_unsigned_, value::kUnsigned);
  const Field field = {*where & 0xFFu, (*where >> 8) & 0xFFu, is_signed};
  if (field.count == 0 || field.first + field.count > 32) return std::nullopt;
  return field;
}

/// Replaces a field at the bottom of a word whose other bits are 0 by the word, and other
/// conversions, whose unit is slow, by BFE or LOP.
void simplify_field(Line& line, const Field& field, const KnownOf& known) {
  const uint32_t needed = lowest(field.is_signed ? field.count - 1 : field.count);
  const bool is_all = (bits_of(line.terms[1], known).zeros | needed) == kAll;
  if (field.first == 0 && is_all) return become_move(line, line.terms[1]);
  if (line.op() != Op::kI2I || line.terms[1].has_sign()) return;
  if (field.is_signed) {
    become(line, "BFE", {line.terms[0], line.terms[1], number(field.count << 8)});
  } else {
    become(line, "LOP.AND", {line.terms[0], line.terms[1], number(lowest(field.count))});
  }
}

bool is_logic_of(const Line& line, uint8_t logic) {
  return line.op() == Op::kLOP && line.terms.size() == 3 && line.is(Mod::k_logic, logic) &&
         !reads_carry(line);
}

bool is_plain_shift(const Line& line) {
  return line.operation.is_exactly(Op::kSHL) || is_unsigned_right_shift(line);
}

bool is_lop3(const Line& line) { return line.operation.is_exactly(Op::kLOP3); }

bool is_funnel(const Line& line) {
  const bool is_left =
      line.operation.is_exactly(Op::kSHF_L, {{Mod::k_funnel, value::kPairUnsigned}});
  return is_left ||
         line.operation.is_exactly(Op::kSHF_R, {{Mod::k_funnel, value::kPairUnsigned}}) ||
         line.operation.is_exactly(Op::kSHF_R, {{Mod::k_funnel, value::kPairSigned}});
}

bool is_extreme(const Line& line) {
  return line.operation.is_exactly(Op::kIMNMX) ||
         line.operation.is_exactly(Op::kIMNMX, {{Mod::k_unsigned_, value::kUnsigned}});
}

/// The bits that a load with zero extension sets to 0.
uint32_t zeros_of_load(const Line& line) {
  if (line.is(Mod::k_size, value::kU8)) return ~lowest(8);
  return line.is(Mod::k_size, value::kU16) ? ~lowest(16) : 0;
}

bool is_load(Op op) {
  return op == Op::kLDG || op == Op::kLDS || op == Op::kLDL || op == Op::kLD || op == Op::kLDC;
}

/// Replaces an AND whose mask clears nothing by a move.
void simplify_mask(Line& line, const KnownOf& known) {
  const Numbers mask = number_in(line.terms[2], known);
  const Term& from = line.terms[1];
  if (line.sets_cc || !mask || from.has_sign()) return;
  if ((bits_of(from, known).zeros | *mask) == kAll) become_move(line, from);
}

/// The bits that are 0 in the LOP3's result for all possible rows of its table.
uint32_t zeros_of_table(const Line& line, const KnownOf& known) {
  const Numbers table = number_of(line.terms[4]);
  if (!table || line.terms[0].width != 1) return 0;
  uint32_t zeros = kAll;
  for (unsigned row = 0; row < 8; ++row) {
    if (((*table >> row) & 1u) == 0) continue;
    uint32_t never = 0;
    for (size_t at = 1; at <= 3; ++at) {
      const Bits bits = bits_of(line.terms[at], known);
      never |= ((row >> (3 - at)) & 1u) != 0 ? bits.zeros : bits.ones;
    }
    zeros &= never;
  }
  return zeros;
}

uint32_t zeros_of_shift(const Line& line, const KnownOf& known) {
  const Numbers count = number_in(line.terms[2], known);
  if (!count) return 0;
  const uint32_t zeros = bits_of(line.terms[1], known).zeros;
  if (*count > 31) return kAll;
  if (line.op() == Op::kSHL) return (zeros << *count) | lowest(*count);
  return (zeros >> *count) | ~(kAll >> *count);
}

}  // namespace

void simplify_bits(Line& line, const KnownOf& known) {
  if (line.terms.empty() || line.terms[0].width != 1) return;
  if (is_funnel(line)) {
    simplify_funnel(line, known);
  } else if (is_lop3(line)) {
    simplify_table(line, known);
  } else if (is_extreme(line)) {
    simplify_extreme(line, known);
  } else if (const std::optional<Field> field = field_of(line)) {
    simplify_field(line, *field, known);
  }
  if (is_logic_of(line, value::kAnd)) simplify_mask(line, known);
  if (is_plain_shift(line) && zero_bits(line, known) == kAll) become_move(line, rz());
}

uint32_t zero_bits(const Line& line, const KnownOf& known) {
  if (line.terms.size() < 2) return 0;
  const auto zeros = [&](size_t at) { return bits_of(line.terms[at], known).zeros; };
  if (is_plain_shift(line)) return zeros_of_shift(line, known);
  if (is_lop3(line)) return zeros_of_table(line, known);
  if (is_logic_of(line, value::kAnd)) return zeros(1) | zeros(2);
  const bool joins = is_logic_of(line, value::kOr) || is_logic_of(line, value::kXor);
  if (joins || line.op() == Op::kSEL) return zeros(1) & zeros(2);
  if (is_load(line.op())) return zeros_of_load(line);
  const std::optional<Field> field = field_of(line);
  if (!field || field->is_signed) return 0;
  return (zeros(1) >> field->first) | ~lowest(field->count);
}

}  // namespace shflsim::isa::ptx
