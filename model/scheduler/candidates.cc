// SPDX-License-Identifier: Apache-2.0
#include "model/scheduler/candidates.h"

#include <utility>

namespace shflsim::model {
namespace {

constexpr WarpState closed_state(Resource resource) {
  if (resource == Resource::kQueue) return WarpState::kMioThrottle;
  return resource == Resource::kGlobalQueue ? WarpState::kLgThrottle : WarpState::kMathPipeThrottle;
}

/// The states of the candidates for a resource, by Hindrance.
constexpr std::array<WarpState, 3> states_of(Resource resource) {
  return {closed_state(resource), WarpState::kDispatchStall, WarpState::kNotSelected};
}

/// closed_state() by Resource.
constexpr std::array<WarpState, kResources> kClosedStates = [] {
  std::array<WarpState, kResources> states{};
  for (unsigned resource = 0; resource < kResources; ++resource)
    states[resource] = closed_state(static_cast<Resource>(resource));
  return states;
}();

}  // namespace

/// Not inlined, because most cycles have no change.
[[gnu::noinline]] void Candidates::change(uint32_t closed, Cycle now) {
  const Cycle then = clock(now);
  for_each_slot(std::exchange(closed_, closed) ^ closed, [&](unsigned each) {
    spent_[each] += (closed >> each & 1u) != 0 ? Cycle{0} - then : then;
  });
}

void Candidates::charge(unsigned slot, Cycle now) {
  Warps::Warp& warp = warps_.warp[slot];
  const auto resource = static_cast<unsigned>(warp.record->resource);
  const Cycle then = clock(now);
  const Cycle closed = closed_before(resource, then) - came_[slot].closed;
  const Cycle ran = then - came_[slot].clock;
  StateCycles& cycles = warp.stats->states;
  cycles[static_cast<size_t>(kClosedStates[resource])] += closed;
  cycles[static_cast<size_t>(WarpState::kDispatchStall)] += now - warp.since - ran;
  cycles[static_cast<size_t>(WarpState::kNotSelected)] += ran - closed;
  warp.since = now;
}

void Candidates::show(Cycle now) {
  for_each_slot(all_, [this, now](unsigned slot) {
    const Resource resource = warps_.warp[slot].record->resource;
    const Hindrance now_in = hindrance(static_cast<unsigned>(resource));
    const WarpState state = states_of(resource)[static_cast<size_t>(now_in)];
    if (warps_.warp[slot].state == state) return;
    charge(slot, now);
    note_came(slot, static_cast<unsigned>(resource), now);
    warps_.warp[slot].state = state;
  });
}

void Candidates::add_all(SlotMask slots, SlotMask open, Cycle now) {
  for_each_slot(slots, [&](unsigned slot) { add(slot, has_slot(open, slot), now); });
}

}  // namespace shflsim::model
