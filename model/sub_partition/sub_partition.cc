// SPDX-License-Identifier: Apache-2.0
#include "model/sub_partition/sub_partition.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "model/shared_memory/shared_memory.h"

namespace shflsim::model {
namespace {

std::unique_ptr<Dependence> make_dependence(const isa::Program& program,
                                            const DependenceParams& params, unsigned slots) {
  return program.has_control ? make_control_bits(params, slots) : make_scoreboard(params, slots);
}

bool uses_math_pipe(isa::Pipe pipe) {
  return !is_mio(pipe) && pipe != isa::Pipe::kBranch && pipe != isa::Pipe::kFrontEnd;
}

/// Ended by a result, a source that was read, or room in a queue: none of the warp's own doing.
bool is_event_driven(WarpState state) {
  switch (state) {
    case WarpState::kWait:
    case WarpState::kLongScoreboard:
    case WarpState::kShortScoreboard:
    case WarpState::kMioThrottle:
    case WarpState::kLgThrottle: return true;
    default: return false;
  }
}

}  // namespace

SubPartition::SubPartition(const sc_core::sc_module_name& name, unsigned index,
                           const Params& params, unsigned slots, const isa::Program& program,
                           const std::vector<Facts>& facts, RunResult& result)
    : sc_module(name),
      events("events"),
      back("back"),
      index_(index),
      front_end_(params.front_end),
      dependence_params_(params.dependence),
      program_(program),
      facts_(facts),
      result_(result),
      warps_(slots),
      age_(slots),
      policy_(SchedulingPolicies::table()
                  .at(params.front_end.policy)
                  .make({params.front_end.scheduler.pool, params.front_end.scheduler.seed, index})),
      dependence_(make_dependence(program, params.dependence, slots)),
      register_file_("register_file", params.register_file),
      math_("math", params.math),
      mio_queue_("mio_queue", params.mio),
      shared_banks_(params.shared_banks),
      last_issue_(slots) {
  back.bind(*this);
}

void SubPartition::start_warp(unsigned slot, traces::WarpReader steps, uint64_t start,
                              WarpStats& stats, Cycle now) {
  Warp& warp = warps_[slot];
  warp = Warp{};
  warp.stats = &stats;
  warp.static_index = steps.step().index;
  warp.steps = std::move(steps);
  warp.ready = now + start + front_end_.fetch_latency;
  warp.ready_state = WarpState::kNoInstruction;
  age_[slot] = started_++;
  last_issue_[slot] = 0;
  dependence_->reset(slot);
}

void SubPartition::leave_barrier(unsigned slot, Cycle release) {
  Warp& warp = warps_[slot];
  if (front_end_.barrier_deferred != 0) {
    warp.barrier_release = release;
    return;
  }
  warp.at_barrier = false;
  if (release <= warp.ready) return;
  warp.ready = release;
  warp.ready_state = WarpState::kBarrier;
}

bool SubPartition::evaluate(Cycle now) {
  dependence_->advance(now);
  const bool retired = retire_drained(now);
  IssueCandidates candidates;
  for (unsigned slot = 0; slot < warps_.size(); ++slot) {
    if (warps_[slot].stats == nullptr) continue;
    warps_[slot].state = state_of(slot, now);
    if (warps_[slot].state == WarpState::kNotSelected) candidates.eligible |= 1u << slot;
  }
  if (candidates.eligible == 0) return retired;
  candidates.last = last_slot_;
  candidates.last_yields = last_yields_;
  candidates.last_adjacent = now - frozen_ == last_clock_;
  candidates.age = &age_;
  candidates.last_issue = &last_issue_;
  const unsigned chosen = policy_->choose(candidates);
  warps_[chosen].state = WarpState::kSelected;
  stats_of(warps_[chosen]).states[static_cast<size_t>(WarpState::kSelected)] += 1;
  issue(chosen, now);
  return true;
}

bool SubPartition::retire_drained(Cycle now) {
  bool any = false;
  for (unsigned slot = 0; slot < warps_.size(); ++slot) {
    Warp& warp = warps_[slot];
    if (warp.stats == nullptr || !warp.exited || warp.in_flight != 0 || warp.drained > now)
      continue;
    warp.stats->finish = now;
    warp.stats = nullptr;
    warp.steps.reset();
    events->finished(index_, slot, now);
    any = true;
  }
  return any;
}

/// The first thing in the way, in the order of precedence of WarpState; kNotSelected where the warp
/// could issue.
WarpState SubPartition::state_of(unsigned slot, Cycle now) const {
  const Warp& warp = warps_[slot];
  if (warp.exited) return WarpState::kDrain;
  if (warp.at_barrier) return WarpState::kBarrier;
  if (warp.ready > now) return warp.ready_state;
  const Facts& facts = facts_[warp.static_index];
  if (waits_behind_barrier(warp, facts, now)) return WarpState::kBarrier;
  const WarpState blocker = dependence_->blocker(slot, facts, now);
  return blocker == WarpState::kSelected ? throttle(facts, now) : blocker;
}

bool SubPartition::waits_behind_barrier(const Warp& warp, const Facts& facts, Cycle now) const {
  if (warp.barrier_release <= now) return false;
  return is_mio(facts.pipe) || facts.pipe == isa::Pipe::kBranch;
}

/// Special functions may have a way of their own; everything else of the MIO is queued.
bool SubPartition::is_queued(const Facts& facts) const {
  return is_mio(facts.pipe) && (facts.pipe != isa::Pipe::kXu || front_end_.special_queued != 0);
}

WarpState SubPartition::throttle(const Facts& facts, Cycle now) const {
  if (frozen_until_ > now) return WarpState::kDispatchStall;
  if (is_queued(facts)) {
    if (!mio_queue_.has_room(facts.pipe))
      return facts.pipe == isa::Pipe::kGlobal ? WarpState::kLgThrottle : WarpState::kMioThrottle;
    return WarpState::kNotSelected;
  }
  if (is_mio(facts.pipe)) {
    return special_function->free_from(index_, now) > now ? WarpState::kMathPipeThrottle
                                                          : WarpState::kNotSelected;
  }
  if (!uses_math_pipe(facts.pipe)) return WarpState::kNotSelected;
  if (math_.free_from(facts.math, now) > now) return WarpState::kMathPipeThrottle;
  return register_file_.accepts(facts.footprint, now) ? WarpState::kNotSelected
                                                      : WarpState::kDispatchStall;
}

/// First cycle from `now` on in which nothing of throttle()'s own time stands in the way.
Cycle SubPartition::throttled_until(WarpState state, const Facts& facts, Cycle now) const {
  if (state == WarpState::kDispatchStall)
    return std::max(frozen_until_, register_file_.accepts_from(facts.footprint, now));
  if (state != WarpState::kMathPipeThrottle) return now;
  return is_mio(facts.pipe) ? special_function->free_from(index_, now)
                            : math_.free_from(facts.math, now);
}

/// Issue, stall counts and math pipes stand still behind `now`; results and the MIO do not.
void SubPartition::freeze(Cycle now, Cycle cycles) {
  if (cycles == 0) return;
  frozen_until_ = now + 1 + cycles;
  frozen_ += cycles;
  math_.freeze(now, cycles);
  for (Warp& warp : warps_) {
    if (warp.ready > now) warp.ready += cycles;
  }
}

void SubPartition::issue(unsigned slot, Cycle now) {
  Warp& warp = warps_[slot];
  const Facts& facts = facts_[warp.static_index];
  last_slot_ = slot;
  last_yields_ = facts.yields;
  last_issue_[slot] = now + 1;
  last_clock_ = now - frozen_ + 1;
  dispatch(warp, slot, facts, now);
  if (facts.dual_issue && front_end_.dual_issue != 0) issue_second(slot, now);
}

/// The second instruction of a marked pair goes along where nothing is in its own way; its warp is
/// charged one `selected` for both, and the second is counted as issued without a warp-cycle.
void SubPartition::issue_second(unsigned slot, Cycle now) {
  Warp& warp = warps_[slot];
  if (warp.exited || warp.at_barrier) return;
  const Facts& facts = facts_[warp.static_index];
  warp.ready = now;
  if (state_of(slot, now) != WarpState::kNotSelected) {
    warp.ready = now + 1;
    warp.ready_state = WarpState::kWait;
    return;
  }
  last_yields_ = facts.yields;
  ++result_.dual_issued;
  dispatch(warp, slot, facts, now);
}

void SubPartition::dispatch(Warp& warp, unsigned slot, const Facts& facts, Cycle now) {
  InstructionStats& stats = stats_of(warp);
  if (!warp.started) warp.stats->first_issue = now;
  warp.started = true;
  ++stats.issued;
  ++result_.warp_instructions;
  stats.lanes += static_cast<uint64_t>(__builtin_popcount(warp.steps->step().lanes));
  if (facts.is_clock_read) warp.stats->clock_reads.push_back(now);
  dependence_->issued(slot, facts, now);
  if (is_mio(facts.pipe)) {
    send_to_mio(warp, slot, facts, now);
  } else if (uses_math_pipe(facts.pipe)) {
    start_math(stats, slot, facts, now);
  } else {
    dependence_->sources_read(slot, facts, now + 1);
    dependence_->result_ready(slot, facts, now + 1);
  }
  go_on(warp, slot, facts, now);
}

void SubPartition::start_math(InstructionStats& stats, unsigned slot, const Facts& facts,
                              Cycle now) {
  const RegisterFile::Read read = register_file_.read(facts, slot, now);
  stats.register_conflicts += read.conflicts;
  math_.start(facts.math, now);
  const bool only_predicate =
      facts.footprint.write_count == 0 && facts.footprint.predicates_written != 0;
  const Cycle latency = math_latency(facts.pipe, only_predicate);
  record_latency(stats, latency);
  freeze(now, read.freeze);
  // Math instructions that are waited for by scoreboard: those of double precision, mostly.
  const bool is_awaited = facts.control.write_barrier != isa::Control::kNoBarrier ||
                          facts.control.read_barrier != isa::Control::kNoBarrier;
  if (facts.pipe != isa::Pipe::kDouble && !(is_awaited && program_.has_control)) return;
  dependence_->sources_read(slot, facts, read.done);
  dependence_->result_ready(slot, facts, now + latency);
}

Cycle SubPartition::math_latency(isa::Pipe pipe, bool only_predicate) const {
  if (pipe == isa::Pipe::kDouble) return dependence_params_.double_latency;
  return only_predicate ? dependence_params_.predicate_latency : dependence_params_.math_latency;
}

void SubPartition::send_to_mio(Warp& warp, unsigned slot, const Facts& facts, Cycle now) {
  const traces::Step& step = warp.steps->step();
  MioRequest request;
  request.facts = &facts;
  request.static_index = warp.static_index;
  request.slot = slot;
  request.issued = now;
  if (facts.pipe == isa::Pipe::kShuffle) request.lane_map = step.payload;
  if (facts.pipe == isa::Pipe::kShared && step.payload != traces::Step::kNone) {
    request.wavefronts =
        shared_wavefronts(warp.steps->addresses(), step.lanes, facts.access_bytes, shared_banks_);
  }
  ++warp.in_flight;
  if (is_queued(facts)) return mio_queue_.push(request, now);
  sources_read(request, now + mio_queue_.shortest_read());
  completed(request, special_function->start(index_, request, now));
}

/// Moves the warp to its next step and says when that may issue at the earliest.
void SubPartition::go_on(Warp& warp, unsigned slot, const Facts& facts, Cycle now) {
  warp.ready = now + facts.stall;
  warp.ready_state = WarpState::kWait;
  if (facts.is_block_barrier && front_end_.barrier_deferred != 0) {
    warp.barrier_release = std::numeric_limits<Cycle>::max();
  } else if (facts.is_block_barrier) {
    warp.at_barrier = true;
    events->arrived_at_barrier(index_, slot, now);
  }
  if (!warp.steps->next()) {
    warp.exited = true;
    warp.drained = std::max(warp.drained, now + 1);
    events->exited(index_, slot, now);
    return;
  }
  const uint32_t index = warp.steps->step().index;
  const bool taken = index != warp.static_index + 1;
  warp.static_index = index;
  if (!taken || now + front_end_.branch_latency <= warp.ready) return;
  warp.ready = now + front_end_.branch_latency;
  warp.ready_state = WarpState::kBranchResolving;
}

void SubPartition::sources_read(const MioRequest& request, Cycle cycle) {
  dependence_->sources_read(request.slot, *request.facts, cycle);
}

void SubPartition::completed(const MioRequest& request, const MioCompletion& completion) {
  Warp& warp = warps_[request.slot];
  --warp.in_flight;
  if (request.facts->is_block_barrier && front_end_.barrier_deferred != 0)
    events->arrived_at_barrier(index_, request.slot, completion.started);
  dependence_->result_ready(request.slot, *request.facts, completion.result);
  InstructionStats& stats = result_.instructions[request.static_index];
  record_latency(stats, completion.result - request.issued);
  stats.passes += completion.passes;
  stats.port_conflicts += completion.port_conflicts;
  stats.shared_wavefronts += completion.wavefronts;
  stats.shared_conflicts += completion.wavefronts > 0 ? completion.wavefronts - 1 : 0;
  stats.undefined_reads += completion.undefined_reads;
  warp.drained = std::max(warp.drained, completion.result);
}

void SubPartition::record_latency(InstructionStats& stats, Cycle latency) {
  stats.latency_min = stats.results == 0 ? latency : std::min(stats.latency_min, latency);
  stats.latency_max = std::max(stats.latency_max, latency);
  stats.latency_sum += latency;
  ++stats.results;
}

Cycle SubPartition::next_change(Cycle now) const {
  Cycle next = dependence_->next_change(now);
  for (const Warp& warp : warps_) {
    if (warp.stats == nullptr) continue;
    if (warp.exited) {
      if (warp.in_flight == 0) next = std::min(next, std::max(warp.drained, now + 1));
      continue;
    }
    if (warp.at_barrier) continue;
    const Facts& facts = facts_[warp.static_index];
    Cycle from = std::max(warp.ready, throttled_until(warp.state, facts, now + 1));
    if (warp.state == WarpState::kBarrier) from = std::max(from, warp.barrier_release);
    const bool waits_for_others = warp.ready <= now && is_event_driven(warp.state);
    if (!waits_for_others) next = std::min(next, from);
  }
  return next;
}

WarpState SubPartition::state_behind_issue(const Warp& warp) {
  if (warp.exited) return WarpState::kDrain;
  return warp.at_barrier ? WarpState::kBarrier : warp.ready_state;
}

void SubPartition::charge(uint64_t cycles) {
  for (Warp& warp : warps_) {
    if (warp.stats == nullptr) continue;
    result_.warp_cycles += cycles;
    // A cycle of issue is charged where it was issued; in the rest the warp is past it.
    const bool issued = warp.state == WarpState::kSelected;
    const WarpState state = issued ? state_behind_issue(warp) : warp.state;
    stats_of(warp).states[static_cast<size_t>(state)] += cycles - (issued ? 1 : 0);
  }
}

std::string SubPartition::describe() const {
  std::string text;
  for (const Warp& warp : warps_) {
    if (warp.stats == nullptr) continue;
    text += "block " + std::to_string(warp.stats->block) + " warp " +
            std::to_string(warp.stats->warp) + ": " + warp_state_name(warp.state) + " before " +
            program_.texts[warp.static_index] + "\n";
  }
  return text;
}

}  // namespace shflsim::model
