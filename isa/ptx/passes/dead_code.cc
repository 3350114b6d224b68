// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <utility>

#include "isa/ptx/lines/definitions.h"
#include "isa/ptx/lines/line_word.h"
#include "isa/ptx/lines/operations.h"
#include "isa/ptx/passes/optimise.h"

namespace shflsim::isa::ptx {
namespace {

/// Marks the lines on which a line with an effect depends, from the effects back to their operands.
class Liveness {
 public:
  explicit Liveness(Code* code)
      : code_(*code), slots_(code_), writers_(static_cast<size_t>(slots_.count())) {
    for (size_t b = 0; b < code_.blocks.size(); ++b) {
      alive_.emplace_back(code_.blocks[b].lines.size());
      find_writers(static_cast<int>(b));
    }
  }

  void run() {
    for (size_t b = 0; b < code_.blocks.size(); ++b) {
      const Block& block = code_.blocks[b];
      for (size_t i = 0; i < block.lines.size(); ++i) {
        if (is_needed(block.lines[i])) mark({static_cast<int>(b), static_cast<int>(i)});
      }
      if (block.guard >= 0) mark_writers(slots_.first(block.guard));
    }
    while (!open_.empty()) {
      const Spot spot = open_.back();
      open_.pop_back();
      mark_operands(spot);
    }
    drop_carries();
    drop_others();
    drop_old_values();
    narrow_pairs();
  }

 private:
  Line& line(Spot spot) {
    return code_.blocks[static_cast<size_t>(spot.block)].lines[static_cast<size_t>(spot.line)];
  }

  void find_writers(int b) {
    const std::vector<Line>& lines = code_.blocks[static_cast<size_t>(b)].lines;
    for (size_t i = 0; i < lines.size(); ++i) {
      for_each_slot_written(slots_, lines[i], [&](int slot) {
        writers_[static_cast<size_t>(slot)].push_back({b, static_cast<int>(i)});
      });
    }
  }

  bool is_needed(const Line& line) const {
    if (!is_pure(line)) return true;
    return std::any_of(line.terms.begin(), line.terms.end(), [this](const Term& term) {
      return term.written && term.id >= 0 && code_.registers[static_cast<size_t>(term.id)].keep;
    });
  }

  void mark(Spot spot) {
    const auto b = static_cast<size_t>(spot.block);
    if (alive_[b][static_cast<size_t>(spot.line)]) return;
    alive_[b][static_cast<size_t>(spot.line)] = true;
    open_.push_back(spot);
  }

  /// A slot's writers are marked when it is first read.
  void mark_writers(int slot) {
    std::vector<Spot> writers;
    writers.swap(writers_[static_cast<size_t>(slot)]);
    for (const Spot& spot : writers) mark(spot);
  }

  void mark_operands(Spot spot) {
    const Line& reader = line(spot);
    for_each_slot_read(slots_, reader, [this](int slot, bool) { mark_writers(slot); });
    if (reads_carry(reader)) mark_carry(spot);
  }

  void mark_carry(Spot spot) {
    while (--spot.line >= 0) {
      if (!line(spot).sets_cc) continue;
      mark(spot);
      carries_.insert({spot.block, spot.line});
      if (line(spot).guard < 0) return;
    }
  }

  /// Removes the carry output of sums whose carry is not read.
  void drop_carries() {
    for (int b = 0; b < static_cast<int>(code_.blocks.size()); ++b) {
      std::vector<Line>& lines = code_.blocks[static_cast<size_t>(b)].lines;
      for (int i = 0; i < static_cast<int>(lines.size()); ++i) {
        Line& sum = lines[static_cast<size_t>(i)];
        if (carries_.count({b, i}) == 0) sum.sets_cc = false;
      }
    }
  }

  /// Replaces ATOM by RED if the old value is not read.
  void drop_old_values() {
    std::vector<bool> is_read(writers_.size());
    for (const Block& block : code_.blocks) {
      for (const Line& line : block.lines) {
        for_each_slot_read(slots_, line,
                           [&](int slot, bool) { is_read[static_cast<size_t>(slot)] = true; });
      }
    }
    for (Block& block : code_.blocks) {
      for (Line& line : block.lines) {
        if (line.op() != Op::kATOM) continue;
        bool is_wanted = false;
        for_each_slot_written(slots_, line, [&](int slot) {
          const auto id = static_cast<size_t>(slots_.id_of(slot));
          is_wanted = is_wanted || is_read[static_cast<size_t>(slot)] || code_.registers[id].keep;
        });
        if (!is_wanted) become_reduction(line);
      }
    }
  }

  static void become_reduction(Line& line) {
    Line changed = line;
    const std::optional<Operation> reduction = line.operation.renamed("RED");
    if (!reduction) return;
    changed.operation = *reduction;
    changed.terms.erase(changed.terms.begin());
    if (has_word(changed)) line = changed;
  }

  /// Makes the upper word of a pair a register of its own if the lower word is not used any more:
  /// the value of a pair ends only where its lower word is written (isa/ptx/lines/uses.h).
  void narrow_pairs() {
    std::vector<bool> keeps_lower(code_.registers.size());
    for_each_term([&keeps_lower](const Term& term) {
      if (term.part != 1 || term.width != 1) keeps_lower[static_cast<size_t>(term.id)] = true;
    });
    for_each_term([&](Term& term) {
      VirtualRegister& held = code_.registers[static_cast<size_t>(term.id)];
      if (keeps_lower[static_cast<size_t>(term.id)] || held.keep) return;
      held.width = 1;
      term.part = 0;
    });
  }

  template <class F>
  void for_each_term(F f) {
    for (Block& block : code_.blocks) {
      for (Line& line : block.lines) {
        for (Term& term : line.terms) {
          if (term.id >= 0) f(term);
        }
      }
    }
  }

  void drop_others() {
    for (size_t b = 0; b < code_.blocks.size(); ++b) {
      std::vector<Line> kept;
      std::vector<Line>& lines = code_.blocks[b].lines;
      for (size_t i = 0; i < lines.size(); ++i) {
        if (alive_[b][i]) kept.push_back(std::move(lines[i]));
      }
      lines = std::move(kept);
    }
  }

  Code& code_;
  Slots slots_;
  std::vector<std::vector<Spot>> writers_;  ///< by slot; empty once they are marked
  std::vector<std::vector<bool>> alive_;    ///< by block and line
  std::vector<Spot> open_;
  std::set<std::pair<int, int>> carries_;  ///< block and line of sums whose carry is read
};

}  // namespace

void drop_dead_code(Code* code) { Liveness(code).run(); }

}  // namespace shflsim::isa::ptx
