// SPDX-License-Identifier: Apache-2.0
// Combines operations on bits: bit fields, masks of masks, and LOP3, which computes any function
// of three operands.
#include <algorithm>

#include "isa/ptx/lines/operations.h"
#include "isa/ptx/lines/terms.h"
#include "isa/ptx/passes/combine.h"

namespace shflsim::isa::ptx {
namespace {

using Number = std::optional<uint32_t>;

/// Combines (a & m) & n into a & (m & n); likewise for | and ^.
void merge_numbers(Line& line, const Line& made, const KnownOf& known) {
  const Number outer = number_in(line.terms[2], known);
  const Number inner = number_of(made.terms[2]);
  if (!outer || !inner || !made.terms[1].is_register()) return;
  const uint32_t both = *logic_of(line.operation, *outer, *inner);
  if (become(line, line.operation, {line.terms[0], made.terms[1], number_term(both)})) return;
  become(line, *line.operation.lengthened(), {line.terms[0], made.terms[1], number(int64_t{both})});
}

/// Combines (a >> n) & m into BFE if m consists of ones from the lowest bit on.
void become_field(Line& line, const Line& made, const KnownOf& known) {
  const Number mask = number_in(line.terms[2], known);
  const Number count = number_of(made.terms[2]);
  if (!mask || !count || *mask == 0 || (*mask & (*mask + 1)) != 0) return;
  const unsigned width = static_cast<unsigned>(__builtin_popcount(*mask));
  if (*count == 0 || *count + width > 32 || made.terms[1].has_sign()) return;
  become(line, "BFE.U32", {line.terms[0], made.terms[1], number(width << 8 | *count)});
}

/// Combines a LOP with the LOP or right shift by a number that computes its first operand.
void merge_with_maker(Line& line, const Operands& operands) {
  if (line.terms[1].has_sign()) return;
  const Line* made = operands.made_by(line.terms[1]);
  if (made == nullptr) return;
  const std::optional<uint8_t> logic = line.operation.value(Mod::k_logic);
  const bool are_both = is_logic(*made) && logic == made->operation.value(Mod::k_logic);
  if (are_both && logic != value::kPassB) return merge_numbers(line, *made, operands.known);
  const bool is_shift = is_unsigned_right_shift(*made) && made->terms[1].is_register();
  if (is_shift && logic == value::kAnd) become_field(line, *made, operands.known);
}

bool is_table(const Line& line) {
  return line.operation.is_exactly(Op::kLOP3) && line.terms.size() == 5 && number_of(line.terms[4]);
}

bool is_joinable(const Line& line) { return is_logic(line) || is_table(line); }

/// The number of operands.
size_t arity(const Line& line) { return is_logic(line) ? 2 : 3; }

/// The operation's result for operands that are columns of a truth table, one byte each.
Number applied(const Line& line, std::vector<uint32_t> bytes) {
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (line.terms[i + 1].invert) bytes[i] = ~bytes[i] & 0xFFu;
  }
  if (is_logic(line)) {
    return logic_of(line.operation, bytes[0], bytes[1]);
  }
  const uint32_t table = *number_of(line.terms[4]);
  uint32_t result = 0;
  for (unsigned bit = 0; bit < 8; ++bit) {
    unsigned row = 0;
    for (const uint32_t byte : bytes) row = row * 2 + ((byte >> bit) & 1u);
    result |= ((table >> row) & 1u) << bit;
  }
  return result;
}

/// Up to three different operands, and the truth table's byte for each.
class Leaves {
 public:
  /// The truth table's byte of the operand; kNoRoom if there are three others already.
  uint32_t byte_of(Term term) {
    if (term.is(Term::Kind::kZero)) return 0;
    term.invert = false;
    const auto known = std::find_if(terms_.begin(), terms_.end(),
                                    [&term](const Term& each) { return is_same(each, term); });
    const size_t at = static_cast<size_t>(known - terms_.begin());
    if (at == 3) return kNoRoom;
    if (known == terms_.end()) terms_.push_back(term);
    static constexpr uint32_t kBytes[] = {0xF0, 0xCC, 0xAA};
    return kBytes[at];
  }
  static constexpr uint32_t kNoRoom = 0xFF00;
  const std::vector<Term>& terms() const { return terms_; }

 private:
  std::vector<Term> terms_;
};

/// The truth table's bytes for a line's operands (0 for `but`); empty if there are too many.
std::vector<uint32_t> bytes_of(const Line& line, size_t but, Leaves* leaves) {
  std::vector<uint32_t> bytes;
  for (size_t at = 1; at <= arity(line); ++at) {
    bytes.push_back(at == but ? 0 : leaves->byte_of(line.terms[at]));
    if (bytes.back() == Leaves::kNoRoom) return {};
  }
  return bytes;
}

/// The truth table with the second and third operand exchanged.
uint32_t exchanged(uint32_t table) {
  return (table & 0x99u) | ((table & 0x22u) << 1) | ((table & 0x44u) >> 1);
}

bool become_table(Line& line, std::vector<Term> terms, uint32_t table) {
  terms.resize(3, rz());
  const auto is_plain = [](const Term& term) {
    return term.is_register() || term.is(Term::Kind::kZero);
  };
  if (!is_plain(terms[2])) {
    std::swap(terms[1], terms[2]);
    table = exchanged(table);
  }
  const bool fits = terms[0].is_register() && is_plain(terms[2]);
  return fits &&
         become(line, "LOP3.LUT", {line.terms[0], terms[0], terms[1], terms[2], number(table)});
}

/// Combines (a op b) op c and other functions of three operands into LOP3.
void join_tables(Line& line, const Operands& operands) {
  for (size_t at = 1; at <= arity(line); ++at) {
    Term inner = line.terms[at];
    inner.invert = false;
    const Line* made = inner.is_register() ? operands.made_by(inner) : nullptr;
    if (made == nullptr || !is_joinable(*made)) continue;
    Leaves leaves;
    const std::vector<uint32_t> of_made = bytes_of(*made, 0, &leaves);
    std::vector<uint32_t> of_line = bytes_of(line, at, &leaves);
    if (of_made.empty() || of_line.empty()) continue;
    const Number value = applied(*made, of_made);
    if (!value) continue;
    of_line[at - 1] = *value;
    const Number table = applied(line, of_line);
    if (table && become_table(line, leaves.terms(), *table)) return;
  }
}

}  // namespace

void combine_logic(Line& line, const Operands& operands) {
  if (is_logic(line)) merge_with_maker(line, operands);
  if (is_joinable(line)) join_tables(line, operands);
}

}  // namespace shflsim::isa::ptx
