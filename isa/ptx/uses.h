// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "isa/ptx/lines.h"

namespace shflsim::isa::ptx {

constexpr unsigned kRegisters = 255;
constexpr unsigned kPredicates = 7;
/// More of them are in use at once than there are.
struct NoRoom : InputError {
  using InputError::InputError;
};
/// Throws NoRoom.
[[noreturn]] void fail_for_room(const Position& where, bool predicates);

using Ids = std::vector<int>;  ///< of virtual registers, in ascending order

/// Calls read(id) and written(id, whether it ends what the register held before).
template <class Read, class Written>
void for_each_use(const Code& code, const Line& line, Read read, Written written) {
  if (line.guard >= 0) read(line.guard);
  for (const std::vector<Term>* terms : {&line.terms, &line.membermask}) {
    for (const Term& term : *terms) {
      if (!term.is_register()) continue;
      if (!term.written) {
        read(term.id);
      } else {
        // Lowering writes the lower part of a pair first, and reads a temporary register only under
        // the guard that it was written under.
        const bool temporary = code.registers[static_cast<size_t>(term.id)].name.empty();
        written(term.id, (line.guard < 0 || temporary) && term.part == 0);
      }
    }
  }
}

/// What is live where each block begins. Throws NoRoom where that is more than there are.
std::vector<Ids> live_on_entry(const Code& code, const Position& where);
/// What is live behind a block, given what is where each begins.
Ids live_behind(const Block& block, const std::vector<Ids>& live);

}  // namespace shflsim::isa::ptx
