// SPDX-License-Identifier: Apache-2.0
#include "model/warps/warps.h"

#include <algorithm>
#include <utility>

#include "model/warps/warp_watch.h"

namespace shflsim::model {

void Warps::start(unsigned slot, traces::WarpReader steps, WarpStats* of_warp, Cycle now) {
  stand_before(slot, steps.step().index);
  warp[slot] = Warp{};
  spent[slot] = {};
  warp[slot].steps = std::move(steps);
  warp[slot].stats = of_warp;
  warp[slot].started = now;
  since[slot] = now;
  resident |= slot_bit(slot);
  move(slot, WarpState::kNoInstruction);
}

void Warps::spend(unsigned slot, WarpState on, Cycle cycles) {
  if (cycles == 0) return;
  if (watch != nullptr) watch->spend(slot, index[slot], on, since[slot], since[slot] + cycles);
  stats[slot]->states[static_cast<size_t>(on)] += cycles;
  since[slot] += cycles;
  spent[slot][spends[slot]++ % kSpends] = {stats[slot], on, cycles, since[slot]};
}

void Warps::take_back(unsigned slot, Cycle now) {
  if (since[slot] <= now) return;
  for (const Spent& each : spent[slot]) {
    if (each.until <= now) continue;
    each.stats->states[static_cast<size_t>(each.on)] -= std::min(each.cycles, each.until - now);
  }
  since[slot] = now;
}

void Warps::end(unsigned slot, Cycle now) {
  charge(slot, now);
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
