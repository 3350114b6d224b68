// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>

namespace shflsim::model {

/// Warp slots of a sub-partition: bit n is slot n.
using SlotMask = uint32_t;

constexpr unsigned kMostSlots = 16;  ///< a quarter of an SM's 64 warps

constexpr SlotMask slot_bit(unsigned slot) { return SlotMask{1} << slot; }
constexpr bool has_slot(SlotMask slots, unsigned slot) { return (slots >> slot & 1u) != 0; }

/// True if the sets are disjoint and their union is `all`.
inline bool are_apart(std::initializer_list<SlotMask> sets, SlotMask all) {
  SlotMask seen = 0;
  for (const SlotMask set : sets) {
    if ((set & seen) != 0) return false;
    seen |= set;
  }
  return seen == all;
}

/// Calls `visit` with each slot of the mask, lowest first.
template <class Visit>
void for_each_slot(SlotMask slots, Visit visit) {
  for (; slots != 0; slots &= slots - 1) visit(static_cast<unsigned>(__builtin_ctz(slots)));
}

}  // namespace shflsim::model
