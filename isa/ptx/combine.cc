// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/combine.h"

#include <optional>
#include <set>
#include <utility>

#include "isa/ptx/line_text.h"
#include "isa/ptx/lowering.h"
#include "isa/ptx/operations.h"
#include "isa/ptx/simplify.h"

namespace shflsim::isa::ptx {
namespace {

/// p ? min(a, b) : max(a, b) and the other way round.
void choose_extreme(Line& line, const Operands& operands) {
  const Line* chosen = operands.made_by(line.terms[1]);
  const Line* other = operands.made_by(line.terms[2]);
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
void test_bits(Line& line, const Operands& operands) {
  const bool asks_equal = has_part(line.operation, "EQ");
  const bool is_plain = line.terms[1].text == "PT" && line.terms[4].text == "PT" &&
                        has_part(line.operation, "AND") && !reads_carry(line);
  const Line* made = operands.made_by(line.terms[2]);
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
void add_shifted(Line& line, const Operands& operands) {
  for (const size_t at : {size_t{1}, size_t{2}}) {
    const Line* made = operands.made_by(line.terms[at]);
    if (made == nullptr || made->operation != "SHL" || !made->terms[1].is_register()) continue;
    const std::optional<uint32_t> count = number_of(made->terms[2]);
    if (!count || *count == 0 || *count > 31) continue;
    Term shifted = made->terms[1];
    shifted.before = line.terms[at].before;
    if (become(line, "ISCADD", {line.terms[0], shifted, line.terms[3 - at], number(*count)}))
      return;
  }
}

/// Of a word that was extended by its sign, the upper half of its shift to the left.
void shift_extended(Line& line, const Operands& operands) {
  const Line* upper = operands.made_by(line.terms[3]);
  const std::optional<uint32_t> count = number_of(line.terms[2]);
  if (upper == nullptr || upper->operation != "SHR" || number_of(upper->terms[2]) != 31u) return;
  if (!count || *count == 0 || *count > 31 || !is_same(upper->terms[1], line.terms[1])) return;
  become(line, "SHR", {line.terms[0], line.terms[1], number(32 - static_cast<int64_t>(*count))});
}

/// (a + b) + c, where no carry is wanted: IADD3's is another one.
void add_three(Line& line, const Operands& operands) {
  if (writes_carry(line)) return;
  for (const size_t at : {size_t{1}, size_t{2}}) {
    const Line* made = operands.made_by(line.terms[at]);
    if (made == nullptr || made->operation != "IADD" || !operands.is_read_once(line.terms[at])) {
      continue;
    }
    const Term& other = line.terms[3 - at];
    const std::optional<uint32_t> number = number_in(other, operands.known);
    const int32_t value = number ? static_cast<int32_t>(*number) : 0;
    constexpr int32_t kLimit = 1 << 19;
    if (value < -kLimit || value >= kLimit || !made->terms[1].is_register()) continue;
    std::vector<Term> terms = {line.terms[0], made->terms[1], made->terms[2], other};
    if (line.terms[at].before == "-") {
      for (const size_t i : {size_t{1}, size_t{2}}) {
        if (!terms[i].is_register()) return;
        terms[i].before = terms[i].before.empty() ? "-" : "";
      }
    }
    if (!other.is_register()) std::swap(terms[2], terms[3]);
    if (terms[3].is_register() && become(line, "IADD3", terms)) return;
  }
}

/// m - (n - x) is x + (m - n), and no more than a copy where the two are one.
void subtract_twice(Line& line, const Operands& operands) {
  const Line* made = operands.made_by(line.terms[1]);
  if (writes_carry(line) || made == nullptr || made->operation != "IADD" || writes_carry(*made)) {
    return;
  }
  const std::optional<uint32_t> more = number_in(line.terms[2], operands.known);
  const std::optional<uint32_t> less = number_of(made->terms[2]);
  const Term& inner = made->terms[1];
  if (line.terms[1].before != "-" || inner.before != "-" || !more || !less) return;
  Term plain = inner;
  plain.before.clear();
  if (*more == *less) {
    become(line, "MOV", {line.terms[0], plain});
  } else {
    become(line, "IADD", {line.terms[0], plain, number(static_cast<int32_t>(*more - *less))});
  }
}

/// (a << n) and (b >> 32 - n), whose bits are apart: a funnel's shift, a rotation where a is b.
/// Whether the line is such a sum; it stays one where it writes a carry, which is known to be 0.
bool join_shifts(Line& line, const Operands& operands) {
  for (const size_t at : {size_t{1}, size_t{2}}) {
    const Line* left = operands.made_by(line.terms[at]);
    const Line* right = operands.made_by(line.terms[3 - at]);
    const bool are_shifts = left != nullptr && right != nullptr && left->operation == "SHL" &&
                            right->operation == "SHR.U32" && left->terms[1].is_register() &&
                            right->terms[1].is_register() && line.terms[at].before.empty() &&
                            line.terms[3 - at].before.empty();
    if (!are_shifts) continue;
    const std::optional<uint32_t> more = number_of(left->terms[2]);
    const std::optional<uint32_t> less = number_of(right->terms[2]);
    if (!more || !less || *more == 0 || *less == 0 || *more + *less != 32) continue;
    if (writes_carry(line)) return true;
    return become(line, "SHF.L.W", {line.terms[0], right->terms[1], number(*more), left->terms[1]});
  }
  return false;
}

/// The comparison that is true where this one is not; "" where there is none.
std::string inverse_of(const std::string& operation) {
  static const std::vector<std::pair<std::string, std::string>> kPairs = {
      {"ISETP.LT", "ISETP.GE"},  {"ISETP.LE", "ISETP.GT"},  {"ISETP.EQ", "ISETP.NE"},
      {"FSETP.LT", "FSETP.GEU"}, {"FSETP.LE", "FSETP.GTU"}, {"FSETP.GT", "FSETP.LEU"},
      {"FSETP.GE", "FSETP.LTU"}, {"FSETP.EQ", "FSETP.NEU"}};
  const size_t end = operation.find('.', operation.find('.') + 1);
  for (const auto& [one, other] : kPairs) {
    if (operation.compare(0, end, one) == 0) return other + operation.substr(end);
    if (operation.compare(0, end, other) == 0) return one + operation.substr(end);
  }
  return "";
}

/// (a < b) and p.
void compare_with_predicate(Line& line, const Operands& operands) {
  const bool is_and = line.operation == "PSETP.AND.AND";
  const bool is_plain = line.terms[1].text == "PT" && line.terms[4].text == "PT";
  if (!is_plain || !(is_and || line.operation == "PSETP.OR.AND")) return;
  for (const size_t at : {size_t{2}, size_t{3}}) {
    const Term other = line.terms[5 - at];
    const Line* made = other.is_register() ? operands.made_by(line.terms[at]) : nullptr;
    if (made == nullptr || !is_plain_comparison(*made) || !operands.is_read_once(line.terms[at])) {
      continue;
    }
    const bool inverts = line.terms[at].before == "!";
    std::string operation = inverts ? inverse_of(made->operation) : made->operation;
    if (operation.empty()) continue;
    if (!is_and) operation.replace(operation.rfind(".AND"), 4, ".OR");
    if (become(line, operation,
               {line.terms[0], line.terms[1], made->terms[2], made->terms[3], other})) {
      return;
    }
  }
}

/// The sign and magnitude of an operand that x + -0 was made for.
void take_signs(Line& line, const Operands& operands) {
  for (size_t at = 1; at < line.terms.size(); ++at) {
    const Term& term = line.terms[at];
    const Line* made = term.width == 1 ? operands.made_by(term) : nullptr;
    if (made == nullptr || made->operation != "FADD" || !made->terms[1].is_register()) continue;
    const Term& zero = made->terms[2];
    if (zero.text != "RZ" || zero.before != "-") continue;
    Term taken = made->terms[1];
    const bool was_negative = !taken.before.empty() && taken.before[0] == '-';
    const bool is_negative = was_negative != (term.before == "-");
    taken.before = std::string(is_negative ? "-" : "") + (taken.after == "|" ? "|" : "");
    std::vector<Term> terms = line.terms;
    terms[at] = taken;
    become(line, line.operation, terms);
  }
}

}  // namespace

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

bool is_logic(const Line& line) {
  const std::string stem = stem_of(line.operation);
  return stem == "LOP" && line.terms.size() == 3 && !writes_carry(line) && !reads_carry(line);
}

bool is_plain_comparison(const Line& line) {
  const std::string stem = stem_of(line.operation);
  return (stem == "ISETP" || stem == "FSETP") && line.terms.size() == 5 &&
         line.terms[1].text == "PT" && line.terms[4].text == "PT" && line.terms[4].before.empty() &&
         has_part(line.operation, "AND") && !reads_carry(line);
}

void combine(Line& line, const Operands& operands) {
  const std::string stem = stem_of(line.operation);
  if (stem == "SEL") return choose_extreme(line, operands);
  if (stem == "ISETP") return test_bits(line, operands);
  if (stem == "PSETP") return compare_with_predicate(line, operands);
  if (line.operation == "SHF.L.U64") return shift_extended(line, operands);
  if (line.operation == "LOP.OR" && join_shifts(line, operands)) return;
  if (line.operation == "IADD") {
    if (join_shifts(line, operands)) return;
    add_shifted(line, operands);
    if (line.operation == "IADD") subtract_twice(line, operands);
    if (line.operation == "IADD") add_three(line, operands);
    return;
  }
  static const std::set<std::string> kFloats = {"FADD", "FMUL", "FFMA", "FMNMX", "FSETP"};
  if (kFloats.count(stem) != 0) return take_signs(line, operands);
  combine_logic(line, operands);
}

}  // namespace shflsim::isa::ptx
