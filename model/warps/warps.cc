// SPDX-License-Identifier: Apache-2.0
#include "model/warps/warps.h"

#include <algorithm>
#include <utility>

#include "model/warps/warp_watch.h"

namespace shflsim::model {

void Warps::start(unsigned slot, traces::WarpReader steps, WarpStats* of_warp, Cycle now) {
  warp[slot] = Warp{};
  stand_before(slot, steps.step().index);
  spent[slot] = {};
  warp[slot].steps = std::move(steps);
  warp[slot].totals = of_warp;
  warp[slot].started = warp[slot].since = now;
  resident |= slot_bit(slot);
}

void Warps::spend(unsigned slot, WarpState on, Cycle cycles) {
  if (cycles == 0) return;
  Warp& its = warp[slot];
  if (watch != nullptr) watch->spend(slot, its.index, on, its.since, its.since + cycles);
  its.stats->states[static_cast<size_t>(on)] += cycles;
  its.since += cycles;
  spent[slot][spends[slot]++ % kSpends] = {its.stats, on, cycles, its.since};
}

void Warps::take_back(unsigned slot, Cycle now) {
  if (warp[slot].since <= now) return;
  for (const Spent& each : spent[slot]) {
    if (each.until <= now) continue;
    each.stats->states[static_cast<size_t>(each.on)] -= std::min(each.cycles, each.until - now);
  }
  warp[slot].since = now;
}

void Warps::end(unsigned slot, Cycle now) {
  warp[slot].charge(now);
  exited &= ~slot_bit(slot);
  resident &= ~slot_bit(slot);
  warp[slot].totals->finish = now;
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
