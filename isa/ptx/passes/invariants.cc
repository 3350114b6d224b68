// SPDX-License-Identifier: Apache-2.0
// Loop-invariant code motion: lines with the same result in each iteration move before the loop.
#include <algorithm>

#include "isa/ptx/lines/loops.h"
#include "isa/ptx/lines/operations.h"
#include "isa/ptx/passes/optimise.h"

namespace shflsim::isa::ptx {
namespace {

class Hoisting {
 public:
  explicit Hoisting(Code* code)
      : code_(*code),
        slots_(code_),
        flow_(flow_of(code_)),
        dominators_(0, flow_.successors, flow_.predecessors),
        definitions_(code_, slots_, dominators_) {}

  /// Inner loops come first: a line that leaves one may leave the next.
  void run() {
    const Loops loops = find_loops(flow_, dominators_);
    std::vector<int> heads;
    for (const auto& [head, loop] : loops) heads.push_back(head);
    std::stable_sort(heads.begin(), heads.end(),
                     [&](int a, int b) { return loops.at(a).size() < loops.at(b).size(); });
    for (const int head : heads) {
      const int before = block_before(head, loops.at(head));
      if (before >= 0 && !has_calls(loops.at(head))) empty_loop(loops.at(head), before);
    }
  }

 private:
  Block& block(int b) { return code_.blocks[static_cast<size_t>(b)]; }

  /// The only predecessor outside of the loop, if it leads only to the loop; else -1.
  int block_before(int head, const BlockSet& loop) const {
    int before = -1;
    for (const int p : flow_.predecessors[static_cast<size_t>(head)]) {
      if (loop.count(p) == 0) before = before < 0 ? p : flow_.end();
    }
    const bool leads_here = before >= 0 && before != flow_.end() &&
                            flow_.successors[static_cast<size_t>(before)].size() == 1;
    return leads_here ? before : -1;
  }

  /// True if the loop has calls: their writes are unknown, and values live across them are spilled.
  bool has_calls(const BlockSet& loop) {
    return std::any_of(loop.begin(), loop.end(), [&](int b) {
      const std::vector<Line>& lines = block(b).lines;
      return std::any_of(lines.begin(), lines.end(),
                         [](const Line& line) { return !line.callee.empty(); });
    });
  }

  /// Repeats until no line leaves the loop: a moved line makes its readers invariant.
  void empty_loop(const BlockSet& loop, int before) {
    find_written(loop);
    for (bool moves = true; moves;) {
      moves = false;
      for (const int b : loop) moves = move_out(b, before) || moves;
    }
  }

  void find_written(const BlockSet& loop) {
    written_.assign(static_cast<size_t>(slots_.count()), false);
    for (const int b : loop) {
      for (const Line& line : block(b).lines) set_written(line, true);
    }
  }

  void set_written(const Line& line, bool is_written) {
    for_each_slot_written(slots_, line,
                          [&](int slot) { written_[static_cast<size_t>(slot)] = is_written; });
  }

  bool move_out(int b, int before) {
    std::vector<Line> kept;
    std::vector<Line>& lines = block(b).lines;
    for (Line& line : lines) {
      const bool leaves = is_invariant(line);
      if (leaves) set_written(line, false);
      (leaves ? block(before).lines : kept).push_back(std::move(line));
    }
    const bool moves = kept.size() != lines.size();
    lines = std::move(kept);
    return moves;
  }

  /// Lines that read or write the carry stay, since there is only one carry flag.
  bool is_invariant(const Line& line) const {
    if (line.guard >= 0 || !is_pure(line) || reads_carry(line) || line.sets_cc) return false;
    bool holds = true;
    for_each_slot_read(slots_, line, [&](int slot, bool) {
      holds = holds && !written_[static_cast<size_t>(slot)];
    });
    return holds && writes_one_value(line);
  }

  bool writes_one_value(const Line& line) const {
    bool holds = true, writes = false;
    for (const Term& term : line.terms) {
      if (!term.is_register() || !term.written) continue;
      writes = true;
      holds = holds && holds_over_loop(term);
    }
    return holds && writes;
  }

  /// False for predicates, which are too few to be held during a loop.
  bool holds_over_loop(const Term& term) const {
    const VirtualRegister& named = code_.registers[static_cast<size_t>(term.id)];
    if (named.width == 0 || named.fixed >= 0) return false;
    bool is_single = true;
    for (int k = 0; k < Slots::width(term); ++k) {
      is_single = is_single && definitions_.is_single(slots_.of(term) + k);
    }
    return is_single;
  }

  Code& code_;
  Slots slots_;
  Flow flow_;
  DominatorTree dominators_;
  Definitions definitions_;
  std::vector<bool> written_;  ///< by slot: written in the current loop
};

}  // namespace

void hoist_invariants(Code* code) { Hoisting(code).run(); }

}  // namespace shflsim::isa::ptx
