// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "isa/ptx/lines/definitions.h"

namespace shflsim::isa::ptx {

constexpr unsigned kRegisters = 255;
constexpr unsigned kPredicates = 7;
/// Thrown if more registers or predicates are in use at once than exist.
struct NoRoom : InputError {
  using InputError::InputError;
};
/// Throws NoRoom.
[[noreturn]] void fail_for_room(const Position& where, bool predicates);

using Ids = std::vector<int>;  ///< virtual registers in ascending order

/// Calls read(id) or written(id) for each use of a virtual register by the line.
template <class Read, class Written>
void for_each_use(const Line& line, Read read, Written written) {
  if (line.guard >= 0) read(line.guard);
  for (const std::vector<Term>* terms : {&line.terms, &line.membermask}) {
    for (const Term& term : *terms) {
      if (!term.is_register()) continue;
      if (term.written) {
        written(term.id);
      } else {
        read(term.id);
      }
    }
  }
}

/// The slots that are live in a block, which is processed from its end. The parts of a pair are
/// written one by one, in either order.
class LiveSlots {
 public:
  LiveSlots(const Code& code, const Slots& slots, const Ids& behind);
  bool holds(int id) const;
  Ids ids() const;
  /// Moves to the place before the line.
  void pass(const Line& line);

 private:
  const Code& code_;
  const Slots& slots_;
  std::vector<bool> is_live_;
};

/// The registers that are live at the begin of each block. Throws NoRoom if there are too many.
std::vector<Ids> live_on_entry(const Code& code, const Position& where);
/// The registers that are live at the end of a block, given those at the begin of all blocks.
Ids live_behind(const Block& block, const std::vector<Ids>& live);

}  // namespace shflsim::isa::ptx
