// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/passes/predicates.h"

#include "isa/ptx/lines/operations.h"
#include "isa/ptx/lines/terms.h"

namespace shflsim::isa::ptx {
namespace {

using Truth = std::optional<bool>;

Truth truth_of(const Term& term, const KnownPredicate& known) {
  if (term.is(Term::Kind::kTrue)) return !term.negate;
  const Truth found = term.is(Term::Kind::kRegister) ? known(term) : std::nullopt;
  return found ? Truth(*found != term.negate) : std::nullopt;
}

/// True for p = a op b, without the second result and the third operand.
bool is_logic_of_two(const Line& line) {
  return line.op() == Op::kPSETP && line.is(Mod::k_bool2, value::kAnd) && line.terms.size() == 5 &&
         line.terms[1].is_true() && line.terms[4].is_true();
}

bool applied(const Line& line, bool a, bool b) {
  if (line.is(Mod::k_bool_, value::kAnd)) return a && b;
  return line.is(Mod::k_bool_, value::kOr) ? a || b : a != b;
}

template <class Number>
Truth related(uint8_t relation, Number a, Number b) {
  switch (relation) {
    case value::kLess: return a < b;
    case value::kLessOrEqual: return a <= b;
    case value::kGreater: return a > b;
    case value::kGreaterOrEqual: return a >= b;
    case value::kEqual: return a == b;
    case value::kNotEqual: return a != b;
    default: return std::nullopt;
  }
}

}  // namespace

void simplify_predicates(Line& line, const KnownPredicate& known) {
  if (!is_logic_of_two(line)) return;
  for (const size_t at : {size_t{2}, size_t{3}}) {
    const Truth found = truth_of(line.terms[at], known);
    Term other = line.terms[5 - at];
    if (!found || !other.is_register()) continue;
    const bool if_true = applied(line, *found, true);
    if (if_true == applied(line, *found, false)) {
      other = truth(if_true);
    } else if (!if_true) {
      other.negate = !other.negate;
    }
    line.operation = "PSETP.AND.AND";
    const bool is_inverse = other.is_register() && other.negate;
    line.terms[2] = is_inverse ? pt() : other;
    line.terms[3] = is_inverse ? other : pt();
    return;
  }
}

Truth compared(const Line& line, const KnownOf& known, const KnownPredicate& predicate) {
  if (is_logic_of_two(line)) {
    const Truth a = truth_of(line.terms[2], predicate);
    const Truth b = truth_of(line.terms[3], predicate);
    return a && b ? Truth(applied(line, *a, *b)) : std::nullopt;
  }
  const bool is_plain = line.op() == Op::kISETP && line.terms.size() == 5 &&
                        line.terms[4].is_true() && line.is(Mod::k_bool_, value::kAnd) &&
                        !reads_carry(line);
  if (!is_plain) return std::nullopt;
  const std::optional<uint32_t> a = number_in(line.terms[2], known);
  const std::optional<uint32_t> b = number_in(line.terms[3], known);
  if (!a || !b) return std::nullopt;
  const uint8_t relation = *line.operation.value(Mod::k_icmp);
  if (line.is(Mod::k_unsigned_, value::kUnsigned)) return related(relation, *a, *b);
  return related(relation, static_cast<int32_t>(*a), static_cast<int32_t>(*b));
}

}  // namespace shflsim::isa::ptx
