// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "isa/ptx/lines/definitions.h"

namespace shflsim::isa::ptx {

constexpr unsigned kRegisters = 255;
constexpr unsigned kPredicates = 7;
/// More registers or predicates are in use at once than there are.
struct NoRoom : InputError {
  using InputError::InputError;
};
/// Throws NoRoom.
[[noreturn]] void fail_for_room(const Position& where, bool predicates);

using Ids = std::vector<int>;  ///< virtual registers in ascending order

/// Calls read(id) and written(id).
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

/// The slots that are live in a block, walked from its end. The parts of a pair are written one by
/// one, in either order.
class LiveSlots {
 public:
  LiveSlots(const Code& code, const Slots& slots, const Ids& behind);
  bool holds(int id) const;
  Ids ids() const;
  /// On to what is in front of the line.
  void pass(const Line& line);

 private:
  const Code& code_;
  const Slots& slots_;
  std::vector<bool> is_live_;
};

/// What is live where each block begins. Throws NoRoom if that is more than there are.
std::vector<Ids> live_on_entry(const Code& code, const Position& where);
/// What is live behind a block, given what is where each begins.
Ids live_behind(const Block& block, const std::vector<Ids>& live);

}  // namespace shflsim::isa::ptx
