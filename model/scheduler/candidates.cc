// SPDX-License-Identifier: Apache-2.0
#include "model/scheduler/candidates.h"

#include <utility>

namespace shflsim::model {
namespace {

constexpr WarpState closed_state(Resource resource) {
  if (resource == Resource::kQueue) return WarpState::kMioThrottle;
  return resource == Resource::kGlobalQueue ? WarpState::kLgThrottle : WarpState::kMathPipeThrottle;
}

/// By Hindrance.
constexpr std::array<WarpState, 3> states_of(Resource resource) {
  return {closed_state(resource), WarpState::kDispatchStall, WarpState::kNotSelected};
}

}  // namespace

/// Notes what the group had spent when its warps came that have seen it with this hindrance alone.
void Candidates::note_came(Ledger* ledger, size_t hindrance) {
  for_each_slot(std::exchange(ledger->unchanged, 0), [&](unsigned slot) {
    came_[slot] = ledger->spent;
    came_[slot][hindrance] += warps_.since[slot] - ledger->since;
  });
}

void Candidates::charge(unsigned slot, Cycle now) {
  const Resource resource = warps_.record[slot]->resource;
  const Ledger& ledger = ledgers_[static_cast<size_t>(resource)];
  const auto last = static_cast<size_t>(hindrance(static_cast<unsigned>(resource)));
  const std::array<WarpState, kHindrances> states = states_of(resource);
  StateCycles& cycles = warps_.stats[slot]->states;
  const bool is_unchanged = has_slot(ledger.unchanged, slot);
  for (size_t i = 0; i < kHindrances && !is_unchanged; ++i)
    cycles[static_cast<size_t>(states[i])] += ledger.spent[i] - came_[slot][i];
  const Cycle from = is_unchanged ? warps_.since[slot] : ledger.since;
  cycles[static_cast<size_t>(states[last])] += now - from;
  warps_.since[slot] = now;
}

void Candidates::show(Cycle now) {
  for_each_slot(all_, [this, now](unsigned slot) {
    const Resource resource = warps_.record[slot]->resource;
    const Hindrance now_in = hindrance(static_cast<unsigned>(resource));
    const WarpState state = states_of(resource)[static_cast<size_t>(now_in)];
    if (warps_.state[slot] == state) return;
    charge(slot, now);
    ledgers_[static_cast<size_t>(resource)].unchanged |= slot_bit(slot);
    warps_.move(slot, state);
  });
}

}  // namespace shflsim::model
