// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/machine/execution.h"
#include "isa/machine/relation.h"
#include "isa/machine/rounding.h"

namespace shflsim::isa {

/// A single-precision source with its absolute value, minus and flushing of denormals applied.
LaneValues float_operand(const Execution& execution, Role role, bool flushes);

/// How operands stand to each other; a NaN is unordered with everything.
template <class First, class Second>
Relation float_relation(First first, Second second) {
  Relation relation;
  relation.below = lanes_where([&](unsigned lane) { return first(lane) < second(lane); });
  relation.equal = lanes_where([&](unsigned lane) { return first(lane) == second(lane); });
  relation.above = lanes_where([&](unsigned lane) { return first(lane) > second(lane); });
  relation.unordered = ~(relation.below | relation.equal | relation.above);
  return relation;
}

/// A result's way into D: NaN made the one NaN, denormals flushed, clamped to [0, 1]; then ".CC".
struct Finish {
  bool flushes = false;
  bool saturates = false;
};
void write_float(Execution& execution, LaneValues& values, const Finish& finish);

inline Rounding rounding_of(const Instruction& instruction) {
  return static_cast<Rounding>(instruction[Mod::k_round]);
}

}  // namespace shflsim::isa
