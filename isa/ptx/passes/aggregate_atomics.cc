// SPDX-License-Identifier: Apache-2.0
// If all threads of a warp do an atomic operation on one word of shared memory, they first combine
// their operands, as in ptxas' code for sm_50: five shuffles instead of 32 turns of the memory.
#include <optional>

#include "isa/lanes/lane_map.h"
#include "isa/ptx/lines/definitions.h"
#include "isa/ptx/lines/operations.h"
#include "isa/ptx/lines/terms.h"
#include "isa/ptx/passes/optimise.h"

namespace shflsim::isa::ptx {
namespace {

/// The instruction that applies the atomic's operation to two registers; nullopt if there is
/// none.
std::optional<Operation> operation_among(const Line& atomic) {
  const std::optional<uint8_t> what = atomic.operation.value(Mod::k_atom);
  if (atomic.op() != Op::kATOMS || !what) return std::nullopt;
  switch (*what) {
    case value::kAtomicAnd: return "LOP.AND";
    case value::kAtomicOr: return "LOP.OR";
    case value::kAtomicXor: return "LOP.XOR";
    case value::kAdd: return "IADD";
    case value::kMin:
    case value::kMax: return atomic.has(Mod::k_asize) ? "IMNMX" : "IMNMX.U32";  // .S32
    default: return std::nullopt;
  }
}

class Aggregation {
 public:
  explicit Aggregation(Code* code) : code_(*code) {
    const Slots slots(code_);
    is_read_.resize(code_.registers.size());
    for (const Block& block : code_.blocks) {
      for (const Line& line : block.lines) {
        for_each_slot_read(slots, line, [&](int slot, bool) {
          is_read_[static_cast<size_t>(slots.id_of(slot))] = true;
        });
      }
    }
  }

  void run() {
    for (size_t b = 0; b < code_.blocks.size(); ++b) {
      for (size_t i = 0; i < code_.blocks[b].lines.size(); ++i) {
        if (!is_of_one_word(code_.blocks[b].lines[i])) continue;
        split(b, i);
        break;  // the rest has become a block of its own
      }
    }
  }

 private:
  /// True if all threads access the same word, and the old value is not used.
  bool is_of_one_word(const Line& line) const {
    if (line.guard >= 0 || !operation_among(line) || line.terms.size() != 3) return false;
    const Term& old = line.terms[0];
    const bool is_wanted = old.id >= 0 && (is_read_[static_cast<size_t>(old.id)] ||
                                           code_.registers[static_cast<size_t>(old.id)].keep);
    return !is_wanted && line.terms[1].id < 0 && line.terms[2].is(Term::Kind::kRegister) &&
           line.terms[2].width == 1;
  }

  Term added(uint8_t width) {
    code_.registers.push_back({"", width, false});
    is_read_.push_back(true);
    return register_term(static_cast<int>(code_.registers.size()) - 1, width);
  }

  void add(Block* block, const Operation& operation, std::vector<Term> terms) const {
    block->lines.push_back(line_of(operation, std::move(terms), where_));
  }

  void make_room_behind(size_t b, int count) {
    const auto move = [&](int* to) {
      if (*to > static_cast<int>(b)) *to += count;
    };
    for (Block& block : code_.blocks) {
      move(&block.taken);
      move(&block.next);
    }
    code_.blocks.insert(code_.blocks.begin() + static_cast<std::ptrdiff_t>(b) + 1,
                        static_cast<size_t>(count), Block());
  }

  void split(size_t b, size_t i) {
    make_room_behind(b, 2);
    Block& before = code_.blocks[b];
    Block& rest = code_.blocks[b + 2];
    const Line atomic = before.lines[i];
    where_ = atomic.where;
    rest = before;
    rest.lines.erase(rest.lines.begin(), rest.lines.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    before.lines.resize(i);
    const Term running = added(1);
    const Term are_all = added(0);
    add(&before, "VOTE.ANY", {written(running), pt(), pt()});
    add(&before, "ISETP.EQ.U32.AND", {written(are_all), pt(), running, number(-1), pt()});
    before.lines.push_back(atomic);
    before.lines.back().terms[0] = rz();
    before.lines.back().guard = before.guard = are_all.id;
    before.lines.back().guard_negate = before.guard_negate = true;
    before.taken = static_cast<int>(b) + 2;
    before.next = static_cast<int>(b) + 1;
    before.uniform = true;
    do_together(&code_.blocks[b + 1], atomic, static_cast<int>(b) + 2);
  }

  void do_together(Block* block, const Line& atomic, int next) {
    const Operation operation = *operation_among(atomic);
    const Term lane = added(1);
    const Term is_first = added(0);
    block->where = where_;
    block->next = next;
    add(block, "S2R", {written(lane), special("SR_LANEID")});
    Term all = atomic.terms[2];
    for (unsigned distance = 1; distance < kLanes; distance *= 2) {
      const Term other = added(1);
      const Term both = added(1);
      add(block, "SHFL.BFLY", {pt(), written(other), all, number(distance), number(0x1F)});
      std::vector<Term> terms = {written(both), all, other};
      if (operation.op() == Op::kIMNMX) {
        terms.push_back(truth(atomic.is(Mod::k_atom, value::kMin)));
      }
      add(block, operation, terms);
      all = both;
    }
    add(block, "ISETP.EQ.U32.AND", {written(is_first), pt(), lane, rz(), pt()});
    block->lines.push_back(atomic);
    block->lines.back().terms[0] = rz();
    block->lines.back().terms[2] = all;
    block->lines.back().guard = is_first.id;
  }

  Code& code_;
  std::vector<bool> is_read_;  ///< by register
  Position where_;
};

}  // namespace

void aggregate_atomics(Code* code) { Aggregation(code).run(); }

}  // namespace shflsim::isa::ptx
