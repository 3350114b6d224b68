// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/combine.h"

#include <optional>

#include "isa/ptx/line_text.h"
#include "isa/ptx/lowering.h"
#include "isa/ptx/operations.h"
#include "isa/ptx/simplify.h"

namespace shflsim::isa::ptx {
namespace {

bool is_same(const Term& a, const Term& b) {
  return a.kind == b.kind && a.text == b.text && a.id == b.id && a.part == b.part &&
         a.before == b.before && a.after == b.after;
}

bool become(Line& line, const std::string& operation, std::vector<Term> terms) {
  Line changed = line;
  changed.operation = operation;
  changed.terms = std::move(terms);
  if (!has_word(changed)) return false;
  line = std::move(changed);
  return true;
}

/// p ? min(a, b) : max(a, b) and the other way round.
void choose_extreme(Line& line, const MadeBy& made_by) {
  const Line* chosen = made_by(line.terms[1]);
  const Line* other = made_by(line.terms[2]);
  if (chosen == nullptr || other == nullptr || chosen->operation != other->operation) return;
  const std::string stem = stem_of(chosen->operation);
  if ((stem != "IMNMX" && stem != "FMNMX") || line.terms[3].kind != Term::Kind::kRegister) return;
  const auto is_min = [](const Line& each) { return each.terms[3].text == "PT"; };
  const auto is_max = [](const Line& each) { return each.terms[3].text == "!PT"; };
  const bool are_both = (is_min(*chosen) && is_max(*other)) || (is_max(*chosen) && is_min(*other));
  if (!are_both || !is_same(chosen->terms[1], other->terms[1]) ||
      !is_same(chosen->terms[2], other->terms[2])) {
    return;
  }
  Term by = line.terms[3];
  if (is_max(*chosen)) by.before = by.before.empty() ? "!" : "";
  become(line, chosen->operation, {line.terms[0], chosen->terms[1], chosen->terms[2], by});
}

/// (a & b) != 0, and (a & one bit) == that bit.
void test_bits(Line& line, const MadeBy& made_by) {
  const bool asks_equal = has_part(line.operation, "EQ");
  const bool is_plain = line.terms[1].text == "PT" && line.terms[4].text == "PT" &&
                        has_part(line.operation, "AND") && !reads_carry(line);
  const Line* made = made_by(line.terms[2]);
  const std::optional<uint32_t> against = number_of(line.terms[3]);
  if (!is_plain || made == nullptr || !against || !(asks_equal || has_part(line.operation, "NE"))) {
    return;
  }
  if (stem_of(made->operation) != "LOP" || made->terms.size() != 3) return;
  const std::optional<uint32_t> mask = number_of(made->terms[2]);
  const bool is_bit =
      has_part(made->operation, "AND") && mask == against && __builtin_popcount(*against) == 1;
  if (*against != 0 && !is_bit) return;
  const std::string test = asks_equal == is_bit ? ".NZ" : ".Z";
  become(line, made->operation + test, {line.terms[0], rz(), made->terms[1], made->terms[2]});
}

/// (a << n) + b.
void add_shifted(Line& line, const MadeBy& made_by) {
  for (const size_t at : {size_t{1}, size_t{2}}) {
    const Line* made = made_by(line.terms[at]);
    if (made == nullptr || made->operation != "SHL" || !made->terms[1].is_register()) continue;
    const std::optional<uint32_t> count = number_of(made->terms[2]);
    if (!count || *count == 0 || *count > 31) continue;
    Term shifted = made->terms[1];
    shifted.before = line.terms[at].before;
    if (become(line, "ISCADD", {line.terms[0], shifted, line.terms[3 - at], number(*count)}))
      return;
  }
}

/// What a LOP of two gives for the bits of its operands, each a byte of a truth table.
std::optional<uint32_t> table_of(const Line& line, uint32_t a, uint32_t b) {
  if (line.terms[1].before == "~") a = ~a;
  if (line.terms[2].before == "~") b = ~b;
  if (has_part(line.operation, "AND")) return a & b & 0xFFu;
  if (has_part(line.operation, "OR")) return (a | b) & 0xFFu;
  if (has_part(line.operation, "XOR")) return (a ^ b) & 0xFFu;
  return std::nullopt;
}

Term bare(Term term) {
  term.before.clear();
  return term;
}

bool is_logic(const Line& line) {
  const std::string stem = stem_of(line.operation);
  return stem == "LOP" && line.terms.size() == 3 && !writes_carry(line) && !reads_carry(line);
}

/// (a op b) op c as a LOP3.
void join_logic(Line& line, const MadeBy& made_by) {
  constexpr uint32_t kA = 0xF0;
  constexpr uint32_t kB = 0xCC;
  constexpr uint32_t kC = 0xAA;
  for (const size_t at : {size_t{1}, size_t{2}}) {
    const Line* made = made_by(line.terms[at]);
    if (made == nullptr || !is_logic(*made)) continue;
    const std::optional<uint32_t> inner = table_of(*made, kA, kB);
    if (!inner) continue;
    const std::optional<uint32_t> whole =
        at == 1 ? table_of(line, *inner, kC) : table_of(line, kC, *inner);
    const Term third = bare(line.terms[3 - at]);
    if (!whole || !third.is_register() || !made->terms[1].is_register()) continue;
    if (become(
            line, "LOP3.LUT",
            {line.terms[0], bare(made->terms[1]), bare(made->terms[2]), third, number(*whole)})) {
      return;
    }
  }
}

/// Of a word that was extended by its sign, the upper half of its shift to the left.
void shift_extended(Line& line, const MadeBy& made_by) {
  const Line* upper = made_by(line.terms[3]);
  const std::optional<uint32_t> count = number_of(line.terms[2]);
  if (upper == nullptr || upper->operation != "SHR" || number_of(upper->terms[2]) != 31u) return;
  if (!count || *count == 0 || *count > 31 || !is_same(upper->terms[1], line.terms[1])) return;
  become(line, "SHR", {line.terms[0], line.terms[1], number(32 - static_cast<int64_t>(*count))});
}

}  // namespace

void combine(Line& line, const MadeBy& made_by) {
  const std::string stem = stem_of(line.operation);
  if (stem == "SEL") return choose_extreme(line, made_by);
  if (stem == "ISETP") return test_bits(line, made_by);
  if (line.operation == "SHF.L.U64") return shift_extended(line, made_by);
  if (line.operation == "IADD") return add_shifted(line, made_by);
  if (is_logic(line)) join_logic(line, made_by);
}

}  // namespace shflsim::isa::ptx
