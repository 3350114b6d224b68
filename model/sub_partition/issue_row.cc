// SPDX-License-Identifier: Apache-2.0
#include "model/sub_partition/issue_row.h"

#include <algorithm>

#include "model/sub_partition/sub_partition.h"

namespace shflsim::model {
[[gnu::noinline]] bool IssueRow::evaluate(Cycle now) {
  const bool has_news = take_results(part_.dispatch_, *part_.dependence_, part_.scheduler_, now);
  if (!issue(now)) return part_.evaluate_all(now) || has_news;
  const Cycle frozen = part_.dispatch_.end_cycle(now);
  if (frozen == 0)
    part_.due_.set(now + 1);
  else
    freeze(now, frozen);
  return true;
}

/// Issues the warp's instruction, and moves the warp to its next step; false if it may not issue.
[[gnu::always_inline]] inline bool IssueRow::issue(Cycle now) {
  WarpScheduler& scheduler = part_.scheduler_;
  const unsigned slot = scheduler.choice_.last;
  Warps::Warp& warp = part_.warps_.warp[slot];
  if (!may_issue(scheduler, warp, now)) return false;
  if (scheduler.look_ != 0 || scheduler.next_ready_ <= now) {
    scheduler.join(now);
    is_on_ = scheduler.held_ == 0;
  }
  const uint32_t wanted = scheduler.candidates_.wanted();
  scheduler.candidates_.close(part_.dispatch_.closed(wanted, now), now);
  if (warp.since != now) warp.charge(now);
  warp.select(now);
  scheduler.last_clock_ = now + scheduler.lead_;
  part_.dispatch_.start_plain(slot, warp, now);
  const bool has_next = warp.steps->next();
  const bool is_next = has_next && warp.steps->step().index == warp.index + 1;
  if (is_next && warp.record[1].point == Point::kNone)
    warp.stand_before_next();
  else if (is_next && warp.record[1].point == Point::kFetch)
    reach_line(slot, warp, now);
  else
    leave(slot, warp, has_next, now);
  is_on_ &= warp.record->runs_on;
  return true;
}

[[gnu::always_inline]] inline bool IssueRow::may_issue(const WarpScheduler& scheduler,
                                                       const Warps::Warp& warp, Cycle now) const {
  const IssueRecord& record = *warp.record;
  if (scheduler.freeze_.until > now || warp.steps->is_pending()) return false;
  if (record.may_wait && (record.asks_constant ||
                          scheduler.blocker(scheduler.choice_.last, now) != WarpState::kSelected))
    return false;
  return part_.dispatch_.is_open(record.resource, now);
}

/// The warp comes to an instruction that asks for code.
[[gnu::noinline]] void IssueRow::reach_line(unsigned slot, Warps::Warp& warp, Cycle now) {
  warp.stand_before_next();
  const Cycle there = part_.fetch_.advance(slot, warp.index, now);
  if (there <= now + 1) return;
  end();
  part_.scheduler_.next_up_ = 0;
  part_.scheduler_.sit_out(slot, now + 1);
  part_.scheduler_.hold_back(slot, there, WarpState::kNoInstruction);
  part_.scheduler_.settle(slot, warp, now);
}

/// The warp may have to jump, to wait for its next instruction, or to end.
[[gnu::noinline]] void IssueRow::leave(unsigned slot, Warps::Warp& warp, bool has_next, Cycle now) {
  part_.scheduler_.next_up_ = 0;
  part_.scheduler_.sit_out(slot, now + 1);
  has_next ? part_.stand_before(slot, warp, now) : part_.exit(slot, now);
  part_.scheduler_.settle(slot, warp, now);
  look(part_.scheduler_, part_.warps_);
}

/// Issue is frozen behind `now`. Unless the row has ended, the warp may issue first behind that.
[[gnu::always_inline]] inline void IssueRow::freeze(Cycle now, Cycle cycles) {
  WarpScheduler& scheduler = part_.scheduler_;
  scheduler.freeze(now, cycles);
  if (scheduler.is_busy(true, now)) return part_.due_.set(now + 1);
  if (scheduler.next_up_ == 0) return part_.due_.set(part_.next_change(now));
  const Cycle news = std::min(part_.dispatch_.due(), scheduler.next_result());
  const Cycle next = std::min({news, scheduler.next_ready_, scheduler.freeze_.until});
  part_.due_.set(std::max(next, now + 1));
}

}  // namespace shflsim::model
