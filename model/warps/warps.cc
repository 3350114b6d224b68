// SPDX-License-Identifier: Apache-2.0
#include "model/warps/warps.h"

#include <algorithm>
#include <utility>

namespace shflsim::model {

void Warps::start(unsigned slot, traces::WarpReader steps, WarpStats* of_warp, Cycle now) {
  stand_before(slot, steps.step().index);
  warp[slot] = Warp{};
  warp[slot].steps = std::move(steps);
  warp[slot].stats = of_warp;
  warp[slot].started = now;
  since[slot] = now;
  resident |= slot_bit(slot);
  move(slot, WarpState::kNoInstruction);
}

void Warps::end(unsigned slot, Cycle now) {
  charge(slot, now);
  in_state[static_cast<size_t>(state[slot])] &= ~slot_bit(slot);
  exited &= ~slot_bit(slot);
  resident &= ~slot_bit(slot);
  warp[slot].stats->finish = now;
  warp[slot].steps.reset();
}

Cycle Warps::next_end(Cycle now) const {
  Cycle next = kNever;
  for_each_slot(exited, [&](unsigned slot) {
    if (warp[slot].in_flight == 0) next = std::min(next, std::max(warp[slot].drained, now + 1));
  });
  return next;
}

}  // namespace shflsim::model
