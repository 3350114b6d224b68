// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "isa/ptx/lines/dominators.h"
#include "isa/ptx/lines/lines.h"

namespace shflsim::isa::ptx {

/// The control-flow graph of the blocks; the last node is the end.
struct Flow {
  Edges successors;
  Edges predecessors;
  int end() const { return static_cast<int>(successors.size()) - 1; }
};
Flow flow_of(const Code& code);

/// Numbers each 32-bit part of a virtual register, and each predicate.
class Slots {
 public:
  explicit Slots(const Code& code);
  int count() const { return first_.back(); }
  /// The first slot of a virtual register.
  int first(int id) const { return first_[static_cast<size_t>(id)]; }
  /// The first slot that a term names; width() is their number.
  int of(const Term& term) const { return first(term.id) + term.part; }
  static int width(const Term& term) { return term.width == 0 ? 1 : term.width; }
  int id_of(int slot) const { return ids_[static_cast<size_t>(slot)]; }

 private:
  std::vector<int> first_;
  std::vector<int> ids_;  ///< by slot
};

/// Calls f(slot, is_predicate) for all slots that a line reads, including guard and membermask.
template <class F>
void for_each_slot_read(const Slots& slots, const Line& line, F f) {
  if (line.guard >= 0) f(slots.first(line.guard), true);
  for (const std::vector<Term>* terms : {&line.terms, &line.membermask}) {
    for (const Term& term : *terms) {
      if (!term.is_register() || term.written) continue;
      for (int k = 0; k < Slots::width(term); ++k) f(slots.of(term) + k, term.width == 0);
    }
  }
}

/// Calls f(slot) for all slots that a line writes.
template <class F>
void for_each_slot_written(const Slots& slots, const Line& line, F f) {
  for (const Term& term : line.terms) {
    if (!term.is_register() || !term.written) continue;
    for (int k = 0; k < Slots::width(term); ++k) f(slots.of(term) + k);
  }
}

/// The position of a line.
struct Spot {
  int block = -1;
  int line = -1;
};

/// Finds slots that hold one value at all reads: they are written once, without a guard, on all
/// paths to their reads. Such a slot can represent its value.
class Definitions {
 public:
  Definitions(const Code& code, const Slots& slots, const DominatorTree& dominators);
  bool is_single(int slot) const { return single_[static_cast<size_t>(slot)]; }
  Spot of(int slot) const { return spots_[static_cast<size_t>(slot)]; }

 private:
  void find_writes(const Code& code, const Slots& slots);
  void check_reads(const DominatorTree& dominators, const Block& block, int b, const Slots& slots);
  void check_read(const DominatorTree& dominators, int slot, Spot at);

  std::vector<Spot> spots_;
  std::vector<bool> single_;
};

}  // namespace shflsim::isa::ptx
