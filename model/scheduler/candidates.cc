// SPDX-License-Identifier: Apache-2.0
#include "model/scheduler/candidates.h"

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

void Candidates::change(uint32_t closed, Cycle now) {
  for_each_slot(closed_ & ~closed, [this, now](unsigned each) { spent_[each] += now; });
  for_each_slot(closed & ~closed_, [this, now](unsigned each) { spent_[each] -= now; });
  closed_ = closed;
}

void Candidates::charge(unsigned slot, Cycle now) {
  const Resource resource = warps_.record[slot]->resource;
  const Cycle closed = closed_before(static_cast<unsigned>(resource), now) - came_[slot].closed;
  const Cycle frozen = closed_before(kIssue, now) - came_[slot].frozen;
  StateCycles& cycles = warps_.stats[slot]->states;
  cycles[static_cast<size_t>(closed_state(resource))] += closed;
  cycles[static_cast<size_t>(WarpState::kDispatchStall)] += frozen;
  cycles[static_cast<size_t>(WarpState::kNotSelected)] +=
      now - warps_.since[slot] - closed - frozen;
  warps_.since[slot] = now;
}

void Candidates::show(Cycle now) {
  for_each_slot(all_, [this, now](unsigned slot) {
    const Resource resource = warps_.record[slot]->resource;
    const Hindrance now_in = hindrance(static_cast<unsigned>(resource));
    const WarpState state = states_of(resource)[static_cast<size_t>(now_in)];
    if (warps_.state[slot] == state) return;
    charge(slot, now);
    note_came(slot, static_cast<unsigned>(resource), now);
    warps_.move(slot, state);
  });
}

}  // namespace shflsim::model
