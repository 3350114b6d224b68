// SPDX-License-Identifier: Apache-2.0
#include "model/warps/warp_watch.h"

namespace shflsim::model {

void WarpWatch::start(unsigned slot, const ResidentWarp& who) {
  seen_[slot] = Seen{};
  seen_[slot].who = who;
  update(slot);
}

/// Reports the warp's activity before `now` that has not been reported yet.
void WarpWatch::tell(unsigned slot, Cycle now) {
  Seen& seen = seen_[slot];
  assert(seen.since <= now && "no cycle is told twice");
  if (seen.since == now) return;
  requests_.observer().stood(seen.who, seen.index, seen.state, seen.since, now);
  seen.since = now;
}

void WarpWatch::update(unsigned slot) {
  Seen& seen = seen_[slot];
  seen.index = warps_.warp[slot].index;
  seen.state = warps_.warp[slot].state;
  seen.since = warps_.warp[slot].since;
}

void WarpWatch::look() {
  for_each_slot(warps_.resident, [this](unsigned slot) {
    tell(slot, warps_.warp[slot].since);
    update(slot);
  });
}

void WarpWatch::issued(unsigned slot, const traces::Step& step, Cycle now) {
  Seen& seen = seen_[slot];
  Issue issue;
  issue.id = {seen.who.index, seen.issued};
  issue.index = warps_.warp[slot].index;
  issue.lanes = step.lanes;
  issue.payload = step.payload;
  issue.cycle = now;
  issue.is_second = seen.issued != 0 && seen.last_issue == now;
  if (!issue.is_second) {
    tell(slot, now);
    seen.state = WarpState::kSelected;
    tell(slot, now + 1);
  }
  ++seen.issued;
  seen.last_issue = now;
  requests_.observer().issued(seen.who, issue);
  tell_where(slot, issue.id, now);
}

void WarpWatch::spend(unsigned slot, uint32_t index, WarpState state, Cycle from, Cycle to) {
  Seen& seen = seen_[slot];
  assert(seen.since == from && "no cycle is left out");
  requests_.observer().stood(seen.who, index, state, from, to);
  seen.since = to;
}

/// Reports where an issued instruction goes: a pipe of known latency, a shared unit, or nowhere.
void WarpWatch::tell_where(unsigned slot, InstructionId id, Cycle now) {
  const IssueRecord& record = *warps_.warp[slot].record;
  if (record.resource == Resource::kNothing && !record.passes_queue) return;
  if (is_math(record.resource)) return requests_.observer().done(id, now + record.latency);
  requests_.sent(seen_[slot].who, id, warps_.warp[slot].index, now);
  const bool is_at_unit = record.resource == Resource::kSpecial;
  requests_.observer().entered(id,
                               record.passes_queue ? Stage::kOperands
                               : is_at_unit        ? Stage::kUnit
                                                   : Stage::kQueue,
                               now);
}

void WarpWatch::done(const MioRequest& request, Cycle result) {
  requests_.done(seen_[request.slot].who.sub_partition, request, result);
}

void WarpWatch::stop(Cycle now) {
  for_each_slot(warps_.resident, [=](unsigned slot) {
    if (seen_[slot].since <= now) tell(slot, now);
  });
}

}  // namespace shflsim::model
