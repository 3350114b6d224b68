// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/simplify_bits.h"

#include <algorithm>

#include "isa/ptx/combine.h"
#include "isa/ptx/lowering.h"
#include "isa/ptx/operations.h"

namespace shflsim::isa::ptx {
namespace {

using Numbers = std::optional<uint32_t>;

constexpr uint32_t kAll = ~0u;

uint32_t lowest(unsigned count) { return count > 31 ? kAll : (1u << count) - 1; }

/// What is known of an operand's bits.
struct Bits {
  uint32_t zeros = 0;
  uint32_t ones = 0;
};

Bits bits_of(const Term& term, const KnownOf& known) {
  const Numbers number = number_in(term, known);
  if (number) return {~*number, *number};
  const Value* value = known(term);
  const bool is_whole = value != nullptr && term.before.empty() && term.after.empty();
  return is_whole ? Bits{value->zeros, 0} : Bits{};
}

void become_shift(Line& line, const std::string& operation, const Term& from, unsigned count) {
  if (count == 0) return become_move(line, from);
  become(line, operation, {line.terms[0], from, number(count)});
}

/// The lower word of a pair that is moved down.
void simplify_right_funnel(Line& line, unsigned count, const KnownOf& known) {
  const bool is_signed = line.operation == "SHF.R.S64";
  const Term low = line.terms[1];
  const Term high = line.terms[3];
  if (count >= 32) {
    const unsigned rest = is_signed ? std::min(count - 32, 31u) : count - 32;
    if (rest == 32) return become_move(line, rz());
    return become_shift(line, is_signed ? "SHR" : "SHR.U32", high, rest);
  }
  if (count == 0 || number_in(high, known) == 0u) become_shift(line, "SHR.U32", low, count);
}

/// The upper word of a pair that is moved up.
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
  if (!count || !line.terms[1].before.empty() || !line.terms[3].before.empty()) return;
  const unsigned held = std::min(*count, 64u);
  if (line.operation == "SHF.L.U64") return simplify_left_funnel(line, held, known);
  simplify_right_funnel(line, held, known);
}

Term inverted(Term term, bool inverts) {
  term.before = inverts ? "~" : "";
  return term;
}

/// A table of two operands, a being 1 in the upper two bits of it and b in every second, as LOP.
void become_logic(Line& line, const Term& a, const Term& b, unsigned table) {
  const Term d = line.terms[0];
  const auto pass = [&](const Term& x, bool inverts) {
    if (!inverts) return become_move(line, x);
    become(line, "LOP.PASS_B", {d, rz(), inverted(x, true)});
  };
  if (table == 0) return become_move(line, rz());
  if (table == 0xC || table == 0x3) return pass(a, table == 0x3);
  if (table == 0xA || table == 0x5) return pass(b, table == 0x5);
  if (table == 0x6 || table == 0x9) {
    become(line, "LOP.XOR", {d, a, inverted(b, table == 0x9)});
    return;
  }
  const bool is_and = __builtin_popcount(table) == 1;
  if (table == 0xF) return;
  // The one row where the result differs from the others says which operands are inverted.
  const unsigned row = static_cast<unsigned>(__builtin_ctz(is_and ? table : table ^ 0xFu));
  const bool wants_a = ((row & 2u) != 0) == is_and;
  const bool wants_b = ((row & 1u) != 0) == is_and;
  become(line, is_and ? "LOP.AND" : "LOP.OR", {d, inverted(a, !wants_a), inverted(b, !wants_b)});
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

/// LOP3 of which one operand is all zeros or all ones.
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
  const std::string& by = line.terms[3].text;
  if (!a || !b || !line.terms[3].before.empty() || (by != "PT" && by != "!PT")) return;
  const bool is_less = has_part(line.operation, "U32")
                           ? *a < *b
                           : static_cast<int32_t>(*a) < static_cast<int32_t>(*b);
  become_move(line, number_term(is_less == (by == "PT") ? *a : *b));
}

/// A field of bits that an instruction takes out of its operand.
struct Field {
  unsigned first = 0;
  unsigned count = 0;
  bool is_signed = false;
};

std::optional<Field> field_of(const Line& line) {
  static const std::vector<std::pair<std::string, Field>> kExtensions = {
      {"I2I.U32.U16", {0, 16, false}},
      {"I2I.U32.U8", {0, 8, false}},
      {"I2I.S32.S16", {0, 16, true}},
      {"I2I.S32.S8", {0, 8, true}}};
  for (const auto& [operation, field] : kExtensions) {
    if (line.operation == operation && line.terms[1].after.empty()) return field;
  }
  if (line.operation != "BFE" && line.operation != "BFE.U32") return std::nullopt;
  const Numbers where = number_of(line.terms[2]);
  if (!where) return std::nullopt;
  const Field field = {*where & 0xFFu, (*where >> 8) & 0xFFu, line.operation == "BFE"};
  if (field.count == 0 || field.first + field.count > 32) return std::nullopt;
  return field;
}

/// A field at the bottom of a word whose other bits are 0 is the word; the conversion unit, which
/// is slow, is not needed for one.
void simplify_field(Line& line, const Field& field, const KnownOf& known) {
  const uint32_t needed = lowest(field.is_signed ? field.count - 1 : field.count);
  const bool is_all = (bits_of(line.terms[1], known).zeros | needed) == kAll;
  if (field.first == 0 && is_all) return become_move(line, line.terms[1]);
  if (stem_of(line.operation) != "I2I" || !line.terms[1].before.empty()) return;
  if (field.is_signed) {
    become(line, "BFE", {line.terms[0], line.terms[1], number(field.count << 8)});
  } else {
    become(line, "LOP.AND", {line.terms[0], line.terms[1], number(lowest(field.count))});
  }
}

bool is_logic_of(const Line& line, const char* part) {
  const std::string stem = stem_of(line.operation);
  return (stem == "LOP" || stem == "LOP32I") && line.terms.size() == 3 &&
         has_part(line.operation, part) && !reads_carry(line);
}

/// A mask that takes nothing away.
void simplify_mask(Line& line, const KnownOf& known) {
  const Numbers mask = number_in(line.terms[2], known);
  const Term& from = line.terms[1];
  if (writes_carry(line) || !mask || !from.before.empty()) return;
  if ((bits_of(from, known).zeros | *mask) == kAll) become_move(line, from);
}

/// Where a LOP3 is 0 in all rows that can be.
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
  if (line.operation == "SHL") return (zeros << *count) | lowest(*count);
  return (zeros >> *count) | ~(kAll >> *count);
}

}  // namespace

void simplify_bits(Line& line, const KnownOf& known) {
  if (line.terms.empty() || line.terms[0].width != 1) return;
  const std::string& operation = line.operation;
  if (operation == "SHF.L.U64" || operation == "SHF.R.U64" || operation == "SHF.R.S64") {
    simplify_funnel(line, known);
  } else if (operation == "LOP3.LUT") {
    simplify_table(line, known);
  } else if (operation == "IMNMX" || operation == "IMNMX.U32") {
    simplify_extreme(line, known);
  } else if (const std::optional<Field> field = field_of(line)) {
    simplify_field(line, *field, known);
  }
  if (is_logic_of(line, "AND")) simplify_mask(line, known);
  const bool is_shift = line.operation == "SHL" || line.operation == "SHR.U32";
  if (is_shift && zero_bits(line, known) == kAll) become_move(line, rz());
}

uint32_t zero_bits(const Line& line, const KnownOf& known) {
  if (line.terms.size() < 2) return 0;
  const auto zeros = [&](size_t at) { return bits_of(line.terms[at], known).zeros; };
  if (line.operation == "SHL" || line.operation == "SHR.U32") return zeros_of_shift(line, known);
  if (line.operation == "LOP3.LUT") return zeros_of_table(line, known);
  if (is_logic_of(line, "AND")) return zeros(1) | zeros(2);
  if (is_logic_of(line, "OR") || is_logic_of(line, "XOR")) return zeros(1) & zeros(2);
  if (line.operation == "SEL") return zeros(1) & zeros(2);
  const std::string stem = stem_of(line.operation);
  const bool is_load =
      stem == "LDG" || stem == "LDS" || stem == "LDL" || stem == "LD" || stem == "LDC";
  if (is_load && has_part(line.operation, "U8")) return ~lowest(8);
  if (is_load && has_part(line.operation, "U16")) return ~lowest(16);
  const std::optional<Field> field = field_of(line);
  if (!field || field->is_signed) return 0;
  return (zeros(1) >> field->first) | ~lowest(field->count);
}

}  // namespace shflsim::isa::ptx
