// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/predicates.h"

#include "isa/ptx/lowering.h"
#include "isa/ptx/operations.h"

namespace shflsim::isa::ptx {
namespace {

using Truth = std::optional<bool>;

Truth truth_of(const Term& term, const KnownPredicate& known) {
  const bool inverts = term.before == "!";
  if (term.kind == Term::Kind::kRegister) {
    const Truth found = known(term);
    return found ? Truth(*found != inverts) : std::nullopt;
  }
  if (term.text == "PT") return !inverts;
  return term.text == "!PT" ? Truth(inverts) : std::nullopt;
}

bool is_true(const Term& term) { return term.text == "PT" && term.before.empty(); }

/// p = a op b, the other result and the third operand being left out.
bool is_logic_of_two(const Line& line) {
  return stem_of(line.operation) == "PSETP" && has_part(line.operation, "AND") &&
         line.operation.compare(line.operation.size() - 4, 4, ".AND") == 0 &&
         line.terms.size() == 5 && is_true(line.terms[1]) && is_true(line.terms[4]);
}

bool applied(const std::string& operation, bool a, bool b) {
  if (operation == "PSETP.AND.AND") return a && b;
  return operation == "PSETP.OR.AND" ? a || b : a != b;
}

template <class Number>
Truth related(const std::string& operation, Number a, Number b) {
  if (has_part(operation, "LT")) return a < b;
  if (has_part(operation, "LE")) return a <= b;
  if (has_part(operation, "GT")) return a > b;
  if (has_part(operation, "GE")) return a >= b;
  if (has_part(operation, "EQ")) return a == b;
  return has_part(operation, "NE") ? Truth(a != b) : std::nullopt;
}

}  // namespace

void simplify_predicates(Line& line, const KnownPredicate& known) {
  if (!is_logic_of_two(line)) return;
  for (const size_t at : {size_t{2}, size_t{3}}) {
    const Truth truth = truth_of(line.terms[at], known);
    Term other = line.terms[5 - at];
    if (!truth || !other.is_register()) continue;
    const bool if_true = applied(line.operation, *truth, true);
    if (if_true == applied(line.operation, *truth, false)) {
      other = text(if_true ? "PT" : "!PT");
    } else if (!if_true) {
      other.before = other.before.empty() ? "!" : "";
    }
    line.operation = "PSETP.AND.AND";
    const bool is_inverse = other.before == "!";
    line.terms[2] = is_inverse ? pt() : other;
    line.terms[3] = is_inverse ? other : pt();
    return;
  }
}

Truth compared(const Line& line, const KnownOf& known, const KnownPredicate& predicate) {
  if (is_logic_of_two(line)) {
    const Truth a = truth_of(line.terms[2], predicate);
    const Truth b = truth_of(line.terms[3], predicate);
    return a && b ? Truth(applied(line.operation, *a, *b)) : std::nullopt;
  }
  const bool is_plain = stem_of(line.operation) == "ISETP" && line.terms.size() == 5 &&
                        is_true(line.terms[4]) && has_part(line.operation, "AND") &&
                        !reads_carry(line);
  if (!is_plain) return std::nullopt;
  const std::optional<uint32_t> a = number_in(line.terms[2], known);
  const std::optional<uint32_t> b = number_in(line.terms[3], known);
  if (!a || !b) return std::nullopt;
  if (has_part(line.operation, "U32")) return related(line.operation, *a, *b);
  return related(line.operation, static_cast<int32_t>(*a), static_cast<int32_t>(*b));
}

}  // namespace shflsim::isa::ptx
