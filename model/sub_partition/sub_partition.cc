// SPDX-License-Identifier: Apache-2.0
// The cycle of a sub-partition, and what its warps wait for. Issue itself is in issue.cc.
#include "model/sub_partition/sub_partition.h"

#include <algorithm>
#include <utility>

namespace shflsim::model {
namespace {

std::unique_ptr<Dependence> make_dependence(const isa::Program& program,
                                            const DependenceParams& params, unsigned slots) {
  return program.has_control ? make_control_bits(params, slots) : make_scoreboard(params, slots);
}

Way way_of(const Facts& facts, const FrontEndParams& params) {
  if (facts.pipe == isa::Pipe::kBranch || facts.pipe == isa::Pipe::kFrontEnd) return Way::kNothing;
  if (facts.is_block_barrier && params.barrier_deferred != 0) return Way::kNothing;
  if (facts.pipe == isa::Pipe::kGlobal) return Way::kGlobalQueue;
  if (facts.pipe == isa::Pipe::kXu && params.special_queued == 0) return Way::kSpecial;
  return is_mio(facts.pipe) ? Way::kQueue : static_cast<Way>(facts.math);
}

uint32_t math_latency(const Facts& facts, const DependenceParams& params) {
  if (facts.pipe == isa::Pipe::kDouble) return params.double_latency;
  const bool only_predicate =
      facts.footprint.write_count == 0 && facts.footprint.predicates_written != 0;
  return only_predicate ? params.predicate_latency : params.math_latency;
}

/// Math instructions that are waited for by scoreboard: those of double precision, mostly.
bool is_awaited(const Facts& facts, bool has_control) {
  const bool has_barrier = facts.control.write_barrier != isa::Control::kNoBarrier ||
                           facts.control.read_barrier != isa::Control::kNoBarrier;
  return facts.pipe == isa::Pipe::kDouble || (has_barrier && has_control);
}

/// What a warp waits for that needs something which is not free.
WarpState closed_state(Way way) {
  if (way == Way::kQueue) return WarpState::kMioThrottle;
  return way == Way::kGlobalQueue ? WarpState::kLgThrottle : WarpState::kMathPipeThrottle;
}

}  // namespace

SubPartition::SubPartition(const sc_core::sc_module_name& name, unsigned number,
                           const Params& params, unsigned slots, const isa::Program& program,
                           const std::vector<Facts>& facts, RunResult& result)
    : sc_module(name),
      events("events"),
      back("back"),
      number_(number),
      fetch_latency_(params.fetch.latency),
      branch_latency_(params.fetch.branch_latency),
      front_end_(params.front_end),
      dependence_params_(params.dependence),
      program_(program),
      facts_(facts),
      result_(result),
      all_slots_(slot_bit(slots) - 1),
      next_ready_(kNever),
      due_(kNever),
      age_(slots),
      last_issue_(slots),
      choice_{0, 0, false, false, &age_, &last_issue_},
      policy_(
          SchedulingPolicies::table()
              .at(params.front_end.policy)
              .make({params.front_end.scheduler.pool, params.front_end.scheduler.seed, number})),
      dependence_(make_dependence(program, params.dependence, slots)),
      register_file_("register_file", params.register_file),
      write_port_(params.register_file.write_distance, params.register_file.banks),
      math_("math", params.math),
      mio_queue_("mio_queue", params.mio),
      fetch_("fetch", params.fetch, params.code),
      shared_banks_(params.shared_banks),
      records_(make_records()) {
  back.bind(*this);
}

std::vector<IssueRecord> SubPartition::make_records() const {
  std::vector<IssueRecord> records;
  records.reserve(facts_.size());
  for (const Facts& facts : facts_) {
    IssueRecord record;
    record.facts = &facts;
    record.way = way_of(facts, front_end_);
    record.stall = facts.stall;
    record.waits_behind_barrier = is_mio(facts.pipe) || facts.pipe == isa::Pipe::kBranch;
    record.yields = facts.yields;
    record.is_clock_read = facts.is_clock_read;
    record.is_block_barrier = facts.is_block_barrier;
    record.is_fetch_point = fetch_.is_point(static_cast<uint32_t>(records.size()));
    record.is_first_of_pair = facts.dual_issue && front_end_.dual_issue != 0;
    record.dependence = dependence_->needs(facts);
    if (is_math(record.way)) {
      record.dependence.results = is_awaited(facts, program_.has_control);
      record.reads = register_file_.plan(facts);
      record.latency = math_latency(facts, dependence_params_);
      record.writes =
          write_port_.is_limited() ? write_port_.banks_of(facts.footprint) : uint16_t{0};
    }
    records.push_back(record);
  }
  return records;
}

void SubPartition::start_warp(unsigned slot, traces::WarpReader steps, uint64_t start,
                              WarpStats& stats, Cycle now) {
  stand_before(slot, steps.step().index);
  warps_[slot] = Warp{};
  warps_[slot].steps = std::move(steps);
  warps_[slot].stats = &stats;
  warps_[slot].started = now;
  ready_[slot] = now + start + fetch_latency_;
  ready_state_[slot] = WarpState::kNoInstruction;
  since_[slot] = now;
  age_[slot] = started_++;
  last_issue_[slot] = 0;
  resident_ |= slot_bit(slot);
  look_ |= slot_bit(slot);
  if (fetch_.can_miss()) unfetched_ |= slot_bit(slot);
  move(slot, WarpState::kNoInstruction);
  dependence_->reset(slot);
  due_ = now;
}

void SubPartition::leave_barrier(unsigned slot, Cycle release, Cycle now) {
  if (front_end_.barrier_deferred != 0) {
    warps_[slot].barrier_release = release;
    due_ = std::min(due_, std::max(release, now + 1));
    return;
  }
  if (is_in(exited_, slot)) return;
  at_barrier_ &= ~slot_bit(slot);
  if (release > ready_[slot]) {
    ready_[slot] = release;
    ready_state_[slot] = WarpState::kBarrier;
  }
  sleep(slot);
  look_ |= slot_bit(slot);
  const bool has_just_issued = since_[slot] > now;
  if (has_just_issued) move(slot, ready_state_[slot]);
  due_ = now + 1;
}

bool SubPartition::run(Cycle now) {
  if (write_port_.due() <= now) {
    write_port_.decide(now, [this](const WritePort::Result& result) {
      finish(result.request, result.completion);
    });
  }
  if (dependence_->due() <= now) look_ |= dependence_->advance(now) & (blocked_ | free_to_go_);
  const bool retired = exited_ != 0 && retire_drained(now);
  look_at_woken(now);
  const SlotMask eligible = throttle(now);
  if (eligible == 0) return retired;
  const unsigned chosen = choose(eligible, now);
  enter_all(eligible & ~slot_bit(chosen), WarpState::kNotSelected, now);
  issue(chosen, now);
  return true;
}

bool SubPartition::retire_drained(Cycle now) {
  const SlotMask before = resident_;
  for_each_slot(exited_, [this, now](unsigned slot) {
    Warp& warp = warps_[slot];
    if (warp.in_flight != 0 || warp.drained > now) return;
    charge(slot, now);
    in_state(state_[slot]) &= ~slot_bit(slot);
    exited_ &= ~slot_bit(slot);
    resident_ &= ~slot_bit(slot);
    result_.warp_cycles += now - warp.started;
    warp.stats->finish = now;
    warp.steps.reset();
    events->finished(number_, slot, now);
  });
  return resident_ != before;
}

inline void SubPartition::look_at_woken(Cycle now) {
  for_each_slot(held_, [&](unsigned slot) {
    if (warps_[slot].barrier_release <= now) look_ |= slot_bit(slot);
  });
  SlotMask slots = std::exchange(next_up_, 0);
  if (look_ != 0) {
    leave_sets(look_);
    slots |= std::exchange(look_, 0);
  }
  if (next_ready_ <= now) slots |= wake(now);
  for_each_slot(slots, [&](unsigned slot) { look_at(slot, now); });
}

SlotMask SubPartition::wake(Cycle now) {
  SlotMask woken = 0;
  next_ready_ = kNever;
  for_each_slot(sleeping_, [&](unsigned slot) {
    if (ready_[slot] <= now)
      woken |= slot_bit(slot);
    else
      next_ready_ = std::min(next_ready_, ready_[slot]);
  });
  sleeping_ &= ~woken;
  return woken;
}

/// Puts a warp that is in no set into the one that it belongs to. Its state, where nothing of its
/// own is in the way, is throttle()'s to say.
inline void SubPartition::look_at(unsigned slot, Cycle now) {
  if (ready_[slot] > now) {
    sleep(slot);
    return enter(slot, ready_state_[slot], now);
  }
  if (is_in(unfetched_, slot)) return begin(slot, now);
  const WarpState state = blocker(slot, now);
  if (state == WarpState::kSelected) return add_candidate(slot);
  (state == WarpState::kBarrier ? held_ : blocked_) |= slot_bit(slot);
  enter(slot, state, now);
}

/// The warp's first instruction is fetched.
void SubPartition::begin(unsigned slot, Cycle now) {
  unfetched_ &= ~slot_bit(slot);
  ready_[slot] = fetch_.jump(slot, index_[slot], now);
  look_at(slot, now);
}

/// What of its own is in the way of a warp that is awake: a deferred barrier, an earlier result;
/// kSelected where nothing is.
WarpState SubPartition::blocker(unsigned slot, Cycle now) {
  const IssueRecord& record = *record_[slot];
  if (record.waits_behind_barrier && warps_[slot].barrier_release > now) return WarpState::kBarrier;
  if (!record.dependence.asks) return WarpState::kSelected;
  return dependence_->blocker(slot, *record.facts, now);
}

/// Sorts those that are free to go by what the sub-partition has free; returns those that could
/// issue.
inline SlotMask SubPartition::throttle(Cycle now) {
  if (free_to_go_ == 0) return 0;
  if (frozen_until_ > now) {
    enter_all(free_to_go_, WarpState::kDispatchStall, now);
    return 0;
  }
  SlotMask open = 0;
  for_each_slot(ways_, [&](unsigned w) {
    const Way way = static_cast<Way>(w);
    if (is_open(way, now))
      open |= candidates_[w];
    else
      enter_all(candidates_[w], closed_state(way), now);
  });
  const SlotMask stalled = open == 0 ? 0 : behind_their_banks(open, now);
  enter_all(stalled, WarpState::kDispatchStall, now);
  return open & ~stalled;
}

SlotMask SubPartition::behind_their_banks(SlotMask slots, Cycle now) const {
  const uint16_t behind = register_file_.banks_behind(now);
  SlotMask stalled = 0;
  if (behind == 0) return stalled;
  for_each_slot(slots, [&](unsigned slot) {
    if ((record_[slot]->reads.banks & behind) != 0) stalled |= slot_bit(slot);
  });
  return stalled;
}

inline void SubPartition::leave_sets(SlotMask slots) {
  sleeping_ &= ~slots;
  held_ &= ~slots;
  blocked_ &= ~slots;
  for_each_slot(slots & free_to_go_, [this](unsigned slot) { remove_candidate(slot); });
}

inline void SubPartition::add_candidate(unsigned slot) {
  const auto way = static_cast<unsigned>(record_[slot]->way);
  free_to_go_ |= slot_bit(slot);
  candidates_[way] |= slot_bit(slot);
  ways_ |= 1u << way;
}

inline void SubPartition::enter_all(SlotMask slots, WarpState state, Cycle now) {
  for_each_slot(slots & ~in_state(state), [=](unsigned slot) { enter(slot, state, now); });
}

inline void SubPartition::enter(unsigned slot, WarpState state, Cycle now) {
  if (state_[slot] == state) return;
  charge(slot, now);
  move(slot, state);
}

Cycle SubPartition::next_of_awake(Cycle now) const {
  // Behind an issue, what is open and closed is another than before.
  const bool has_issued = last_issue_[choice_.last] == now + 1;
  if (free_to_go_ != 0 && has_issued) return now + 1;
  Cycle next = kNever;
  for_each_slot(held_, [&](unsigned slot) {
    next = std::min(next, std::max(warps_[slot].barrier_release, now + 1));
  });
  for_each_slot(exited_, [&](unsigned slot) {
    if (warps_[slot].in_flight == 0) next = std::min(next, std::max(warps_[slot].drained, now + 1));
  });
  return std::min(next, next_of_throttled(now));
}

/// A queue without room tells nothing: what makes room is an event of its own.
Cycle SubPartition::next_of_throttled(Cycle now) const {
  Cycle next = kNever;
  const SlotMask waiting = in_state(WarpState::kMathPipeThrottle);
  if (waiting != 0) {
    for (unsigned unit = 0; is_math(static_cast<Way>(unit)); ++unit) {
      if ((candidates_[unit] & waiting) != 0)
        next = std::min(next, math_.free_from(static_cast<MathUnit>(unit), now + 1));
    }
    if ((candidates_[static_cast<size_t>(Way::kSpecial)] & waiting) != 0)
      next = std::min(next, special_function->free_from(number_, now + 1));
  }
  for_each_slot(in_state(WarpState::kDispatchStall), [&](unsigned slot) {
    const uint16_t banks = record_[slot]->reads.banks;
    next = std::min(next, std::max(frozen_until_, register_file_.accepts_from(banks, now + 1)));
  });
  return next;
}

std::string SubPartition::describe() const {
  std::string text;
  for_each_slot(resident_, [&](unsigned slot) {
    text += "block " + std::to_string(warps_[slot].stats->block) + " warp " +
            std::to_string(warps_[slot].stats->warp) + ": " + warp_state_name(state_[slot]) +
            " before " + program_.texts[index_[slot]] + "\n";
  });
  return text;
}

}  // namespace shflsim::model
