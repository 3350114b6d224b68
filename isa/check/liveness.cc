// SPDX-License-Identifier: Apache-2.0
#include "isa/check/liveness.h"

#include "isa/check/effects.h"
#include "isa/codec/form.h"

namespace shflsim::isa {
namespace {

constexpr PredicateSet kAll = 0x7F7F;

/// Targets of each kind of token: SYNC continues at the target of some SSY, and so on.
struct Tokens {
  std::vector<int> sync;
  std::vector<int> brk;
  std::vector<int> cont;
  std::vector<int> ret;  ///< instructions after calls
};

class Liveness {
 public:
  explicit Liveness(const Program& program) : program_(program) {
    for (size_t i = 0; i < program.code.size(); ++i) {
      const Effects effects = effects_of(program.code[i]);
      read_.push_back(predicates_of(effects.reads));
      written_.push_back(predicates_of(effects.writes));
      collect(i);
    }
  }

  std::vector<PredicateSet> run() {
    before_.assign(program_.code.size(), 0);
    std::vector<PredicateSet> after(program_.code.size(), 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = program_.code.size(); i-- > 0;) {
        after[i] = live_after(i);
        const PredicateSet killed = program_.code[i].has_guard() ? 0 : written_[i];
        const PredicateSet now = static_cast<PredicateSet>((after[i] & ~killed) | read_[i]);
        changed |= now != before_[i];
        before_[i] = now;
      }
    }
    return after;
  }

 private:
  int target_of(size_t i) const {
    for (const Operand& operand : program_.code[i].operands) {
      if (operand.is(Operand::Kind::kTarget)) return program_.index_at(operand.value);
    }
    return -1;
  }

  void collect(size_t i) {
    const int following = static_cast<int>(i) + 1;
    switch (program_.code[i].op) {
      case Op::kSSY: tokens_.sync.push_back(target_of(i)); return;
      case Op::kPBK: tokens_.brk.push_back(target_of(i)); return;
      case Op::kPCNT: tokens_.cont.push_back(target_of(i)); return;
      case Op::kPRET: tokens_.ret.push_back(target_of(i)); return;
      case Op::kCAL:
      case Op::kJCAL: tokens_.ret.push_back(following); return;
      default: return;
    }
  }

  PredicateSet live_at(int index) const {
    if (index < 0) return kAll;
    const size_t at = static_cast<size_t>(index);
    return at < before_.size() ? before_[at] : PredicateSet{0};
  }

  PredicateSet live_at_any(const std::vector<int>& indices) const {
    PredicateSet live = indices.empty() ? kAll : PredicateSet{0};
    for (const int index : indices) live = static_cast<PredicateSet>(live | live_at(index));
    return live;
  }

  /// The predicates that are live where the branch continues if it is taken.
  PredicateSet live_where_it_leads(size_t i) const {
    switch (program_.code[i].op) {
      case Op::kSYNC: return live_at_any(tokens_.sync);
      case Op::kBRK: return live_at_any(tokens_.brk);
      case Op::kCONT: return live_at_any(tokens_.cont);
      case Op::kRET: return live_at_any(tokens_.ret);
      case Op::kEXIT:
      case Op::kKIL: return 0;
      default: return live_at(target_of(i));
    }
  }

  PredicateSet live_after(size_t i) const {
    const Instruction& instruction = program_.code[i];
    const PredicateSet following = live_at(static_cast<int>(i) + 1);
    if (family_of(instruction.arch) == Family::kSm70) return live_after_sm70(i, following);
    if (facts(instruction.op).pipe != Pipe::kBranch || pushes(instruction.op)) return following;
    const bool some_stay = instruction.has_guard() || instruction[Mod::k_cct] != 15;
    return static_cast<PredicateSet>(live_where_it_leads(i) | (some_stay ? following : 0));
  }

  /// True if a branch of sm_70 or later may not be taken.
  static bool may_stay(const Instruction& branch) {
    const Operand& condition = branch[Role::kS];
    const bool always =
        condition.is(Operand::Kind::kNone) || (condition.index == kPT && !condition.negate);
    return branch.has_guard() || !always || branch[Mod::k_bra] != 0;
  }

  /// A call returns to the instruction after it; the target of a return is in a register.
  PredicateSet live_after_sm70(size_t i, PredicateSet following) const {
    const Instruction& instruction = program_.code[i];
    const PredicateSet staying = may_stay(instruction) ? following : PredicateSet{0};
    switch (instruction.op) {
      case Op::kSm70_EXIT: return staying;
      case Op::kSm70_RET:
      case Op::kSm70_BRX:
      case Op::kSm70_BRXU:
      case Op::kSm70_JMP: return kAll;
      case Op::kSm70_BRA: return static_cast<PredicateSet>(live_at(target_of(i)) | staying);
      case Op::kSm70_CALL:
      case Op::kSm70_WARPSYNC:
        return target_of(i) < 0 ? (instruction.op == Op::kSm70_CALL ? kAll : following)
                                : static_cast<PredicateSet>(live_at(target_of(i)) | following);
      default: return following;
    }
  }

  static bool pushes(Op op) {
    return op == Op::kSSY || op == Op::kPBK || op == Op::kPCNT || op == Op::kPRET;
  }

  const Program& program_;
  Tokens tokens_;
  std::vector<PredicateSet> read_;
  std::vector<PredicateSet> written_;
  std::vector<PredicateSet> before_;
};

}  // namespace

PredicateSet predicates_of(const std::vector<Resource>& resources) {
  unsigned set = 0;
  for (const Resource each : resources) {
    if (each >= kFirstUniformPredicate) {
      set |= 1u << (kUniformPredicates + each - kFirstUniformPredicate);
    } else if (each >= kFirstPredicate && each < kCarryFlag) {
      set |= 1u << (each - kFirstPredicate);
    }
  }
  return static_cast<PredicateSet>(set);
}

std::vector<PredicateSet> predicates_read_later(const Program& program) {
  return Liveness(program).run();
}

}  // namespace shflsim::isa
