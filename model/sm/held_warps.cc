// SPDX-License-Identifier: Apache-2.0
#include "model/sm/held_warps.h"

#include <algorithm>

#include "model/core/timer.h"

namespace shflsim::model {
namespace {

bool starts_copies(const isa::Code& code) {
  return std::any_of(code.lines.begin(), code.lines.end(),
                     [](const isa::CodeLine& line) { return line.kind == isa::OpKind::kBulkCopy; });
}

}  // namespace

HeldWarps::HeldWarps(const sc_core::sc_module_name& name, const CopyEngineParams& params,
                     const ClusterParams& cluster, unsigned sm, const CopyEngine::Later& later,
                     const traces::Trace& trace, bool* is_ending, uint32_t clock_mhz)
    : params_(params),
      trace_(trace),
      is_ending_(*is_ending),
      clock_mhz_(clock_mhz),
      has_copies_(starts_copies(trace.code)),
      engine_(name, params, cluster, sm, later, trace.warps_per_block()),
      holds_(kSlots) {}

unsigned HeldWarps::slot_of(size_t warp) const {
  const auto found = std::find_if(holds_.begin(), holds_.end(),
                                  [warp](const Hold& hold) { return hold.warp == warp; });
  return static_cast<unsigned>(found - holds_.begin());
}

void HeldWarps::hold(unsigned sm_slot, const HeldAt& at, Cycle now) {
  Hold& hold = holds_[sm_slot];
  hold.is_held = true;
  hold.at = at;
  hold.since = now;
  if (at.kind == isa::OpKind::kClusterBarrier) return;
  hold.limit = limit_of(at, now);
  add_limit({hold.limit, sm_slot});
  due_.make_earlier(hold.limit);
}

/// A lane that waits with a limit while others of its warp are elsewhere sleeps as NANOSLEEP does.
/// All lanes together wait longer, whatever their limit (measured: waits.csv.gz of
/// tests/data/h100/asynchronous, looks of limited_lane; never).
Cycle HeldWarps::limit_of(const HeldAt& at, Cycle now) const {
  const Cycle longest = now + params_.wait.limit;
  if (!at.sleeps || at.limit == 0) return longest;
  return std::min(longest, end_of_nap(at.limit, now + params_.asleep, clock_mhz_));
}

void HeldWarps::add_limit(const Limit& limit) {
  const auto behind =
      std::upper_bound(limits_.begin(), limits_.end(), limit.cycle,
                       [](Cycle cycle, const Limit& each) { return cycle < each.cycle; });
  limits_.insert(behind, limit);
}

void HeldWarps::release(size_t warp) {
  const unsigned sm_slot = slot_of(warp);
  if (!holds_[sm_slot].is_held) return;
  holds_[sm_slot].is_held = false;
  holds_[sm_slot].is_told = is_ending_;
  releases_.push_back(sm_slot);
}

Cycle HeldWarps::begin_copy(const isa::BulkCopy& copy, Cycle now) {
  const Cycle read = engine_.begin(copy, now);
  due_.make_earlier(engine_.due());
  return read;
}

void HeldWarps::end_later(const isa::BulkCopy& arrival, Cycle when) {
  engine_.end_at(arrival, when + params_.after_loads);
  due_.make_earlier(engine_.due());
}

void HeldWarps::end_copies(Cycle now) {
  is_ending_ = true;
  while (engine_.due() <= now) trace_.source->end_copy(engine_.take(), now);
  while (!limits_.empty() && limits_.front().cycle <= now) {
    const Limit limit = limits_.front();
    limits_.pop_front();
    if (is_waiting(limit)) trace_.source->give_up(holds_[limit.sm_slot].warp, now);
  }
  is_ending_ = false;
  set_due();
}

/// Ignores the limits of waits that are over.
void HeldWarps::set_due() {
  while (!limits_.empty() && !is_waiting(limits_.front())) limits_.pop_front();
  due_.set(std::min(engine_.due(), limits_.empty() ? kNever : limits_.front().cycle));
}

bool HeldWarps::is_waiting(const Limit& limit) const {
  const Hold& hold = holds_[limit.sm_slot];
  return hold.is_held && hold.limit == limit.cycle;
}

/// The end of a cluster barrier's phase includes its latency. A warp whose other lanes are
/// elsewhere sees the end of a phase at its next poll, and an arrival some time after its issue. If
/// its wait has a limit, it sleeps instead, and wakes later than other warps.
Cycle HeldWarps::goes_on(const Hold& hold, Cycle now) const {
  if (hold.at.kind == isa::OpKind::kClusterBarrier) return now + 1;
  const bool is_awake = now < hold.since + params_.awake;
  const Cycle woken = now + (hold.is_told ? params_.wake : params_.woken);
  if (!hold.at.has_others || is_awake || params_.look == 0) return woken;
  if (hold.at.sleeps) return woken + params_.asleep;
  const Cycle first = hold.since + params_.first_look;
  const Cycle seen = std::max(now + (hold.is_told ? 0 : params_.seen), first) - first;
  Cycle look = (seen + params_.look - 1) / params_.look;
  if (look > params_.looks) look += (look - params_.looks) % 2;
  return first + look * params_.look + params_.looked;
}

std::vector<HeldWarps::Release> HeldWarps::take_releases(Cycle now) {
  std::vector<Release> all;
  std::stable_sort(releases_.begin(), releases_.end(), [this](unsigned one, unsigned other) {
    return holds_[one].since < holds_[other].since;
  });
  Cycle turn = 0;
  for (const unsigned sm_slot : releases_) {
    const Hold& hold = holds_[sm_slot];
    all.push_back({sm_slot, std::max(now + 1, goes_on(hold, now)) + turn});
    if (hold.at.kind != isa::OpKind::kClusterBarrier) turn += params_.wait.interval;
  }
  releases_.clear();
  set_due();
  return all;
}

}  // namespace shflsim::model
