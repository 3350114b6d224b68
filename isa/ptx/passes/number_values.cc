// SPDX-License-Identifier: Apache-2.0
// Value numbering along the dominator tree: repeated expressions are computed once, copies are
// replaced by their sources, and numbers and words of constant banks become operands.
#include "isa/ptx/lines/line_word.h"
#include "isa/ptx/lines/operations.h"
#include "isa/ptx/lines/values.h"
#include "isa/ptx/passes/combine.h"
#include "isa/ptx/passes/optimise.h"
#include "isa/ptx/passes/predicates.h"
#include "isa/ptx/passes/simplify.h"
#include "isa/ptx/passes/simplify_bits.h"

namespace shflsim::isa::ptx {
namespace {

using Kind = Term::Kind;

class Numbering {
 public:
  explicit Numbering(Code* code)
      : code_(*code),
        slots_(code_),
        flow_(flow_of(code_)),
        dominators_(0, flow_.successors, flow_.predecessors),
        definitions_(code_, slots_, dominators_),
        values_(code_, slots_, definitions_, dominators_),
        reads_(static_cast<size_t>(slots_.count())) {
    for (const Block& block : code_.blocks) {
      for (const Line& line : block.lines) {
        for_each_slot_read(slots_, line,
                           [this](int slot, bool) { ++reads_[static_cast<size_t>(slot)]; });
      }
      if (block.guard >= 0) ++reads_[static_cast<size_t>(slots_.first(block.guard))];
    }
  }

  void run() {
    std::vector<std::vector<int>> dominated(code_.blocks.size());
    for (int b = 1; b < static_cast<int>(code_.blocks.size()); ++b) {
      if (dominators_.is_reached(b))
        dominated[static_cast<size_t>(dominators_.nearest(b))].push_back(b);
    }
    std::vector<std::pair<int, size_t>> open = {{0, 0}};  // block, and its next child
    enter(0);
    while (!open.empty()) {
      auto& [block, next] = open.back();
      const std::vector<int>& below = dominated[static_cast<size_t>(block)];
      if (next == below.size()) {
        values_.leave();
        open.pop_back();
        continue;
      }
      const int child = below[next++];
      enter(child);
      open.emplace_back(child, 0);
    }
  }

 private:
  void enter(int b) {
    block_ = b;
    const std::vector<int>& before = flow_.predecessors[static_cast<size_t>(b)];
    values_.enter(b, before.size() == 1 && before.front() == dominators_.nearest(b));
    carry_ = values_.fresh();
    Block& block = code_.blocks[static_cast<size_t>(b)];
    for (Line& line : block.lines) number(line);
    if (block.guard >= 0) decide(block);
  }

  /// Replaces a choice that is always decided the same way.
  void decide(Block& block) {
    const std::optional<uint32_t> guard = values_[values_.in(slots_.first(block.guard))].number;
    block.guard = held_predicate(block.guard, &block.guard_negate);
    if (!guard) return;
    if ((*guard != 0) != block.guard_negate) block.next = block.taken;
    block.taken = block.guard = -1;
    block.guard_negate = block.uniform = false;
  }

  void number(Line& line) {
    if (line.guard >= 0) line.guard = held_predicate(line.guard, &line.guard_negate);
    // ATOM.CAS takes its operands from registers in a row.
    const bool is_row = line.operation.value(Mod::k_cas).has_value();
    for (Term& term : line.terms) {
      if (!is_row || term.is(Kind::kMemory)) read_from_holder(term);
    }
    for (Term& term : line.membermask) read_from_holder(term);
    add_to_address(line);
    const auto value_of = [this](const Term& term) { return known(term); };
    drop_known_carry(line);
    combine(line, {value_of, [this](const Term& term) { return maker(term); },
                   [this](const Term& term) {
                     return reads_[static_cast<size_t>(slots_.of(term))] == 1;
                   }});
    simplify(line, value_of);
    simplify_predicates(line, [this](const Term& term) { return known_predicate(term); });
    if (!is_row) fold_operands(line, value_of);
    record(line);
  }

  /// Drops a known carry of 0, or of 1 in a difference, where "-" takes the complement.
  void drop_known_carry(Line& line) {
    if (line.op() != Op::kIADD || line.operation.is_long() || !reads_carry(line)) return;
    const std::optional<uint32_t> carry = values_[carry_].number;
    const bool subtracts = line.terms[1].negate || line.terms[2].negate;
    if (!carry || (*carry != 0) != subtracts) return;
    Line changed = line;
    changed.operation = line.operation.with(Mod::k_x, 0);
    if (has_word(changed)) line = changed;
  }

  /// The carry of a sum if it is known: of x + 0 and x - 0, and of numbers with disjoint bits.
  std::optional<uint32_t> known_carry(const Line& line) {
    const bool is_sum = line.op() == Op::kIADD && !line.operation.is_long() && !reads_carry(line);
    if (!is_sum || line.terms[1].negate) return std::nullopt;
    const auto value_of = [this](const Term& term) { return known(term); };
    for (const size_t at : {size_t{1}, size_t{2}}) {
      if (number_in(line.terms[at], value_of) == 0u) return line.terms[2].negate && at == 2;
    }
    const Value* a = known(line.terms[1]);
    const Value* b = known(line.terms[2]);
    const bool are_apart = a != nullptr && b != nullptr && (a->zeros | b->zeros) == ~0u;
    if (are_apart && !line.terms[2].has_sign()) return false;
    return std::nullopt;
  }

  std::optional<bool> known_predicate(const Term& term) {
    const std::optional<uint32_t> number = values_[values_.in(slots_.first(term.id))].number;
    return number ? std::optional<bool>(*number != 0) : std::nullopt;
  }

  /// The value of a 32-bit register operand; nullptr for other operands.
  const Value* known(const Term& term) {
    if (!term.is(Kind::kRegister) || term.width != 1 || term.written) return nullptr;
    return &values_[values_.in(slots_.of(term))];
  }

  /// The predicate that holds the value or, if the sense is inverted, its negation.
  int held_predicate(int id, bool* negate) {
    const int value = values_.in(slots_.first(id));
    const int inverse = values_[value].inverse;
    const int other = inverse < 0 ? -1 : values_.holder(inverse);
    if (other >= 0) {
      *negate = !*negate;
      return slots_.id_of(other);
    }
    const int holder = values_.holder(value);
    return holder < 0 ? id : slots_.id_of(holder);
  }

  void read_predicate(Term& term) { term.id = held_predicate(term.id, &term.negate); }

  void read_from_holder(Term& term) {
    if (!term.is_register() || term.written || term.width > 2) return;
    if (term.width == 0) return read_predicate(term);
    const int first = values_.in(slots_.of(term));
    if (term.width == 2) {
      const int pair = values_.pair_holder(first, values_.in(slots_.of(term) + 1));
      if (pair >= 0 && term.part == 0) term.id = pair;
      return;
    }
    const int holder = values_.holder(first);
    if (holder < 0) return;
    term.id = slots_.id_of(holder);
    term.part = static_cast<uint8_t>(holder - slots_.first(term.id));
  }

  /// Replaces [a + 4] by [b + 12] if a is b + 8.
  void add_to_address(Line& line) {
    for (size_t i = 0; i < line.terms.size(); ++i) {
      const auto has_base = [i](const Line& each) {
        return each.terms[i].is(Kind::kMemory) && each.terms[i].id >= 0;
      };
      if (!has_base(line)) continue;
      Line moved = line;
      while (has_base(moved) && moves_base(moved.terms[i]) && has_word(moved)) line = moved;
    }
  }

  bool moves_base(Term& term) {
    const Value low = values_[values_.in(slots_.of(term))];
    int64_t added = static_cast<int32_t>(low.added);
    Term base = term;
    if (term.width == 2) {
      const Value high = values_[values_.in(slots_.of(term) + 1)];
      if (low.base < 0 || !continues(low, high)) return false;
      base.id = values_.pair_holder(low.base, high.base);
    } else {
      if (low.number) {
        added = static_cast<int32_t>(*low.number);
        base.id = -1;
      } else if (low.base < 0 || low.carry >= 0) {
        return false;
      } else {
        const int holder = values_.holder(low.base);
        base.id = holder < 0 ? -1 : slots_.id_of(holder);
        base.part = holder < 0 ? 0 : static_cast<uint8_t>(holder - slots_.first(base.id));
      }
    }
    const bool is_absolute = term.width == 1 && low.number;
    base.offset += added;
    if (base.id < 0 && (!is_absolute || base.offset < 0)) return false;
    term = base;
    return true;
  }

  /// True if `high` is the upper half of the 64-bit sum whose lower half is `low`.
  bool continues(const Value& low, const Value& high) const {
    const uint32_t sign = (low.added >> 31) != 0 ? ~0u : 0u;
    if (high.base < 0 || high.carry < 0 || high.added != sign || low.carry >= 0) return false;
    const Value& carry = values_[high.carry];
    return carry.base == low.base && carry.added == low.added;
  }

  /// Gives the line's results their values.
  void record(Line& line) {
    const std::optional<int> copied = line.guard < 0 ? copied_value(line) : std::nullopt;
    const bool is_expression = line.guard < 0 && is_pure(line) && !copied;
    const Values::Key key = is_expression ? key_of(line) : Values::Key{};
    Value sum = is_expression ? sum_of(line) : Value{};
    if (line.guard < 0) {
      sum.zeros = zero_bits(line, [this](const Term& term) { return known(term); });
    }
    if (is_expression) note_maker(line, &sum);
    if (is_expression) note_comparison(line, &sum);
    if (is_inverse_of_predicate(line)) sum.inverse = values_.in(slots_.first(line.terms[3].id));
    int result = 0;
    for_each_slot_written(slots_, line, [&](int slot) {
      int value = copied.value_or(-1);
      if (is_expression) {
        value = values_.of_expression(key, result, result == 0 ? sum : Value{});
      }
      values_.set(slot, value < 0 ? values_.fresh(result == 0 ? sum : Value{}) : value, block_);
      ++result;
    });
    if (!line.sets_cc) return;
    Value carry = sum;
    carry.carry = -1;
    carry.zeros = 0;
    carry.number = known_carry(line);
    carry_ = is_expression ? values_.of_expression(key, kCarryResult, carry) : values_.fresh();
  }

  void note_comparison(const Line& line, Value* result) {
    const std::optional<bool> truth = compared(
        line, [this](const Term& term) { return known(term); },
        [this](const Term& term) { return known_predicate(term); });
    if (truth) result->number = *truth ? 1 : 0;
  }

  void note_maker(const Line& line, Value* result) {
    if (reads_carry(line)) return;
    result->made_by = &line;
    for_each_slot_read(slots_, line,
                       [&](int slot, bool) { result->made_of.push_back(values_.in(slot)); });
  }

  /// The line that computed an operand, if the line's own operands still have the same values.
  const Line* maker(const Term& term) {
    const bool is_plain = !term.invert && !term.absolute && term.is(Kind::kRegister);
    if (!is_plain || term.width > 1 || term.written) return nullptr;
    const Value& value = values_[values_.in(slots_.of(term))];
    if (value.made_by == nullptr) return nullptr;
    size_t read = 0;
    bool holds = true;
    for_each_slot_read(slots_, *value.made_by, [&](int slot, bool) {
      holds = holds && values_.in(slot) == value.made_of[read++];
    });
    return holds ? value.made_by : nullptr;
  }

  std::optional<int> copied_value(const Line& line) {
    const bool copies_predicate = is_copy_of_predicate(line);
    if (line.op() != Op::kMOV && !copies_predicate) return std::nullopt;
    const Term& from = line.terms[copies_predicate ? 2 : 1];
    switch (from.kind) {
      case Kind::kRegister:
        return from.has_sign() ? std::nullopt : std::optional<int>(values_.in(slots_.of(from)));
      case Kind::kZero: return values_.of_number(0);
      case Kind::kNumber: return values_.of_number(static_cast<uint32_t>(from.value));
      case Kind::kConstant: return values_.of_constant(from);
      default: return std::nullopt;
    }
  }

  static bool is_copy_of_predicate(const Line& line) {
    return is_conjunction(line) && line.terms[2].is_register() && line.terms[3].is_true();
  }

  /// True for p = a and b.
  static bool is_conjunction(const Line& line) {
    return line.op() == Op::kPSETP && line.is(Mod::k_bool_, value::kAnd) &&
           line.is(Mod::k_bool2, value::kAnd) && line.terms[1].is_true() && line.terms[4].is_true();
  }

  /// True for p = PT and not q, which is how PTX's not.pred is lowered.
  static bool is_inverse_of_predicate(const Line& line) {
    return line.guard < 0 && is_conjunction(line) && line.terms[2].is_true() &&
           line.terms[3].is_register() && line.terms[3].negate;
  }

  /// The operand's part of a key: its kind, its modifiers and the values that it reads.
  Values::Key key_of_term(const Term& term) {
    const bool flags[] = {term.written, term.negate, term.invert, term.absolute};
    Values::Key key = {static_cast<int64_t>(term.kind),
                       static_cast<int64_t>(term.piece),
                       term.width,
                       term.bank,
                       term.value,
                       term.offset};
    for (const bool flag : flags) key.push_back(flag ? 1 : 0);
    if (!term.is_register() || term.written) return key;
    for (int k = 0; k < Slots::width(term); ++k) key.push_back(values_.in(slots_.of(term) + k));
    return key;
  }

  Values::Key key_of(const Line& line) {
    std::vector<Values::Key> keys;
    for (const Term& term : line.terms) keys.push_back(key_of_term(term));
    const bool swaps = commutes(line) && keys.size() > 2 && keys[2] < keys[1];
    if (swaps) std::swap(keys[1], keys[2]);
    Values::Key key = {line.operation.number(), line.sets_cc ? 1 : 0,
                       reads_carry(line) ? carry_ : -1};
    for (const Values::Key& each : keys) key.insert(key.end(), each.begin(), each.end());
    return key;
  }

  /// The base and added number of an IADD with a number; an empty value for other lines.
  Value sum_of(const Line& line) {
    Value sum;
    if (line.op() != Op::kIADD || line.has(Mod::k_sat)) return sum;
    const Term& a = line.terms[1];
    const Term& b = line.terms[2];
    const std::optional<uint32_t> added = number_of(b);
    if (!a.is(Kind::kRegister) || a.has_sign() || !added) return sum;
    sum.base = values_.in(slots_.of(a));
    sum.added = *added;
    if (!reads_carry(line)) return sum;
    sum.carry = carry_;
    if (b.negate) sum.added = ~(0 - *added);  // as "-" does with a carry
    return sum;
  }

  static constexpr int kCarryResult = -1;  ///< the index of a line's carry among its results

  Code& code_;
  Slots slots_;
  Flow flow_;
  DominatorTree dominators_;
  Definitions definitions_;
  Values values_;
  std::vector<int> reads_;  ///< by slot: lines and choices that read it, before the pass
  int block_ = 0;
  int carry_ = -1;
};

}  // namespace

void number_values(Code* code) { Numbering(code).run(); }

}  // namespace shflsim::isa::ptx
