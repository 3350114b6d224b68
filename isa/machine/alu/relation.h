// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/machine/execution.h"

namespace shflsim::isa {

/// The relation of two operands, lane by lane; each lane is in exactly one of the masks.
struct Relation {
  LaneMask below = 0;
  LaneMask equal = 0;
  LaneMask above = 0;
  LaneMask unordered = 0;
};

/// Lanes for which a comparison holds. Its bit 0 means below, 1 equal, 2 above, 3 unordered, as in
/// the encoding of comparisons (isa/codec/modifiers.inc, icmp and fcmp).
LaneMask holds(const Relation& relation, uint8_t comparison);

/// AND, OR, XOR of two predicates.
LaneMask combine(uint8_t operation, LaneMask a, LaneMask b);

/// D = 1.0f (.BF) or all ones if the test is true, else 0.
void write_set(Execution& execution, LaneMask test);
/// P = test op s, Q = not test op s.
void write_set_predicates(Execution& execution, LaneMask test);

}  // namespace shflsim::isa
