// SPDX-License-Identifier: Apache-2.0
#include "model/sub_partition/sub_partition.h"

#include <algorithm>
#include <utility>

namespace shflsim::model {
namespace {

/// Ends a load to shared memory, and the waits that depend on it. Not inlined, so that other
/// operations stay fast.
[[gnu::noinline]] void end_load(unsigned slot, Cycle result, Warps::SharedLoads* loads,
                                Dependence& dependence, WarpEvents& events) {
  ++loads->known;
  loads->done = std::max(loads->done, result);
  while (!loads->waits.empty() && loads->waits.front().loads <= loads->known) {
    const Warps::LoadWait wait = std::move(loads->waits.front());
    loads->waits.erase(loads->waits.begin());
    if (wait.facts != nullptr)
      dependence.result_ready(slot, *wait.facts, loads->done + wait.later);
    else
      events.loads_done(wait.arrival, loads->done);
  }
}

std::unique_ptr<Dependence> make_dependence(const isa::Code& its_code,
                                            const SubPartition::Params& params) {
  return its_code.has_control ? make_control_bits("dependence", params.dependence)
                              : make_scoreboard("dependence", params.dispatch.latencies);
}

BarrierArrival arrival_of(isa::BarrierOperands operands, const traces::WarpReader& steps) {
  const traces::Step& step = steps.step();
  if (operands.in_registers && step.payload != traces::Step::kNone)
    isa::unpack_barrier(steps.addresses()[static_cast<unsigned>(__builtin_ctz(step.lanes))],
                        &operands);
  return {operands.number, (operands.threads + isa::kLanes - 1) / isa::kLanes, operands.stops};
}

/// Executes the pending step of a warp that issues. Returns false if the warp has to wait.
[[gnu::noinline]] bool perform(Warps::Warp& warp, RegisterFile& registers, Cycle now) {
  return warp.steps->perform(effect_of(*warp.record, registers, now));
}

}  // namespace

SubPartition::SubPartition(const sc_core::sc_module_name& name, const Params& params,
                           std::unique_ptr<SchedulingPolicy> policy, const isa::Code& its_code,
                           IssueTable& table, std::vector<InstructionStats>* instructions)
    : Module(name),
      events("events"),
      code("code"),
      special_function("special_function"),
      shared_banks("shared_banks"),
      global_memory("global_memory"),
      constant_memory("constant_memory"),
      arbiter("arbiter"),
      queue("queue"),
      back("back"),
      banks("banks"),
      number_(params.dispatch.sub_partition),
      barrier_(params.barrier),
      fence_(params.fence),
      all_slots_(slot_bit(params.slots) - 1),
      fetch_("fetch", params.fetch, params.layout),
      dependence_(make_dependence(its_code, params)),
      dispatch_("dispatch", params.dispatch, table, fetch_, *dependence_, warps_),
      warps_(table.records, instructions),
      scheduler_("scheduler", std::move(policy), warps_, dispatch_, *dependence_, fetch_),
      branch_unit_("branch_unit", params.branch, warps_, scheduler_, fetch_, params.clock_mhz),
      row_(*this) {
  if (params.due != nullptr) due_.keep_at(params.due);
  if (params.watch != nullptr) {
    watch_ = std::make_unique<WarpWatch>(*params.watch, warps_);
    warps_.watch = watch_.get();
  }
  branch_unit_.turns = params.turns;
  fetch_.code.bind(code);
  dispatch_.special_function.bind(special_function);
  dispatch_.shared_banks.bind(shared_banks);
  dispatch_.global_memory.bind(global_memory);
  dispatch_.constant_memory.bind(constant_memory);
  scheduler_.constant_memory.bind(constant_memory);
  dispatch_.mio_queue().arbiter.bind(arbiter);
  queue.bind(dispatch_.mio_queue());
  back.bind(*this);
  banks.bind(dispatch_.register_file());
}

void SubPartition::start_warp(unsigned slot, traces::WarpReader steps, uint64_t start,
                              WarpStats& stats, Cycle now) {
  warps_.start(slot, std::move(steps), &stats, now);
  scheduler_.start(slot, stats.block, now + start + fetch_.latency());
  dependence_->reset(slot);
  branch_unit_.start_warp(slot, warps_.warp[slot].steps->step().lanes);
  row_.end();
  due_.set(now);
}

void SubPartition::leave_barrier(unsigned slot, Cycle release, Cycle now, bool is_held) {
  if (barrier_.deferred != 0 && !is_held) {
    warps_.warp[slot].barrier_release = release;
    due_.make_earlier(std::max(release, now + 1));
    return;
  }
  if (has_slot(warps_.exited, slot)) return;
  Cycle& phase_release = warps_.warp[slot].phase_release;
  if (phase_release == kNever) {
    phase_release = release;
    return;
  }
  scheduler_.leave_barrier(slot, release, now);
  row_.end();
  due_.set(now + 1);
}

void SubPartition::meet_group(unsigned slot, Cycle release, Cycle now) {
  warps_.warp[slot].group_release = release;
  due_.make_earlier(std::max(release, now + 1));
}

bool SubPartition::evaluate(Cycle now) {
  return row_.goes_on() ? row_.evaluate(now) : evaluate_all(now);
}

[[gnu::noinline]] bool SubPartition::evaluate_all(Cycle now) {
  bool progress = take_results(dispatch_, *dependence_, scheduler_, now);
  if (warps_.exited != 0) progress |= retire_drained(now);
  const SlotMask eligible = scheduler_.eligible(now);
  bool has_issued = false;
  if (eligible != 0) {
    const unsigned slot = scheduler_.choose(eligible, now);
    has_issued = issue(slot, warps_.warp[slot], now);
  }
  const Cycle frozen = dispatch_.end_cycle(now);
  if (frozen != 0) scheduler_.freeze(now, frozen);
  row_.look(scheduler_, warps_);
  due_.set(scheduler_.is_busy(eligible != 0, now) ? now + 1 : next_change(now));
  return progress || has_issued;
}

/// Returns false if the warp has to wait for others after all.
[[gnu::always_inline]] inline bool SubPartition::issue(unsigned slot, Warps::Warp& warp,
                                                       Cycle now) {
  if (warp.steps->is_pending() && !perform(warp, dispatch_.register_file(), now)) {
    scheduler_.turn_away(slot, now);
    return false;
  }
  const IssueRecord& record = *warp.record;
  scheduler_.take(slot, warp, now);
  if (record.is_plain) {
    dispatch_.start_plain(slot, warp, now);
    scheduler_.sit_out(slot, now + record.stall);
    const bool has_next = warp.steps->next();
    const bool is_delayed = !has_next || !warp.goes_straight_on();
    if (!is_delayed)
      warp.stand_before_next();
    else
      has_next ? stand_before(slot, warp, now) : exit(slot, now);
    scheduler_.settle(slot, warp, now, is_delayed);
    return true;
  }
  const bool may_pair = record.is_first_of_pair;
  start(slot, warp, now);
  if (may_pair && scheduler_.takes_second(slot, now) && warp.steps->perform(now)) {
    ++dual_issued_;
    start(slot, warp, now);
  }
  scheduler_.settle(slot, warp, now);
  return true;
}

/// Issues the warp's instruction, and moves the warp to its next step.
[[gnu::always_inline]] inline void SubPartition::start(unsigned slot, Warps::Warp& warp,
                                                       Cycle now) {
  const Cycle frozen = dispatch_.start(slot, warp, now);
  const IssueRecord& record = *warp.record;
  scheduler_.sit_out(slot, now + record.stall);
  if (record.is_looked_at) look_at(record, slot, now);
  warp.steps->next() ? stand_before(slot, warp, now) : exit(slot, now);
  if (frozen != 0) scheduler_.freeze(now, frozen);
}

namespace {

/// Of a warp that is held; `waits_for_lanes`: others of its lanes wait for these at a WARPSYNC
/// (measured: samples of states_of_barriers).
WarpState state_of(const HeldAt& at, bool waits_for_lanes) {
  if (at.kind == isa::OpKind::kClusterBarrier) return WarpState::kBarrier;
  if (at.sleeps) return WarpState::kSleeping;
  return waits_for_lanes ? WarpState::kBranchResolving : WarpState::kLongScoreboard;
}

}  // namespace

void SubPartition::look_at(const IssueRecord& record, unsigned slot, Cycle now) {
  if (record.is_block_barrier) return arrive_at_barrier(slot, now);
  if (record.facts->may_be_held) {
    if (!warps_.warp[slot].steps->is_held()) return;
    HeldAt at{record.facts->kind, branch_unit_.has_others(slot), false};
    at.sleeps = at.has_others && record.facts->has_limit;
    at.limit = record.facts->limit;
    if (record.facts->passes != 0)
      warps_.warp[slot].phase_release = kNever;
    else
      scheduler_.stop(slot, state_of(at, branch_unit_.waits_for_lanes(slot)));
    return events->held(number_, slot, at, now);
  }
  if (record.facts->passes_wait) return branch_unit_.wait_for_phase(slot, now);
  if (record.facts->meets_group) {
    warps_.warp[slot].group_release = kNever;
    return events->came_to_group(number_, slot);
  }
  if (record.facts->fence != Fence::kNone) return wait_for_fence(record.facts->fence, slot, now);
  if (record.facts->changes_registers) return branch_unit_.change_registers(slot, now);
  if (record.facts->sleeps) return branch_unit_.sleep(slot, now);
  if (record.facts->opens_convergence()) return branch_unit_.open(slot, now);
  if (record.facts->moves_barrier()) return branch_unit_.move_barrier(slot, now, *dependence_);
  if (record.facts->lets_others_run) return branch_unit_.let_others_run(slot, now);
  if (!record.facts->empties_l1) return branch_unit_.issue(slot, *warps_.warp[slot].steps, now);
  if (warps_.warp[slot].steps->step().lanes != 0) global_memory->drop_lines();
}

/// Stops the warp until the L2 has answered.
void SubPartition::wait_for_fence(Fence scope, unsigned slot, Cycle now) {
  if (warps_.warp[slot].steps->step().lanes == 0) return;
  const Cycle chip = fence_.chip + global_memory->fence(now);
  warps_.spend(slot, WarpState::kWait, fence_.wait);
  scheduler_.hold_back(slot, now + (scope == Fence::kSystem ? fence_.system : chip),
                       WarpState::kMembar);
}

/// A BAR that no lane executes has no effect.
void SubPartition::arrive_at_barrier(unsigned slot, Cycle now) {
  const traces::WarpReader& steps = *warps_.warp[slot].steps;
  if (steps.step().lanes == 0) return;
  const BarrierArrival arrival = arrival_of(warps_.warp[slot].record->facts->barrier, steps);
  const bool reduces = warps_.warp[slot].record->facts->barrier.reduces;
  const Cycle deferred = barrier_.arrival + (reduces ? barrier_.reduction : 0);
  const Cycle arrives = barrier_.deferred != 0 ? now + deferred : now;
  if (arrival.stops && barrier_.deferred != 0) {
    warps_.warp[slot].barrier_arrival = arrives;
    warps_.warp[slot].barrier_release = kNever;
  }
  if (arrival.stops && barrier_.deferred == 0) scheduler_.stop(slot, WarpState::kBarrier);
  events->arrived_at_barrier(number_, slot, arrival, arrives);
}

void SubPartition::exit(unsigned slot, Cycle now) {
  warps_.exited |= slot_bit(slot);
  warps_.warp[slot].drained = std::max(warps_.warp[slot].drained, now + 1);
  events->exited(number_, slot, now);
}

bool SubPartition::retire_drained(Cycle now) {
  const SlotMask before = warps_.resident;
  for_each_slot(warps_.exited, [this, now](unsigned slot) {
    const Warps::Warp& warp = warps_.warp[slot];
    if (warp.in_flight != 0 || warp.drained > now) return;
    warp_cycles_ += now - warp.started;
    if (watch_ != nullptr) watch_->end(slot, now);
    warps_.end(slot, now);
    events->finished(number_, slot, now);
  });
  return warps_.resident != before;
}

void SubPartition::stop(Cycle now) {
  if (watch_ != nullptr) watch_->stop(now);
  scheduler_.candidates().stop(now);
  for_each_slot(warps_.resident, [this, now](unsigned slot) {
    warp_cycles_ += now - warps_.warp[slot].started;
    warps_.take_back(slot, now);
    warps_.end(slot, now);
  });
}

void SubPartition::sources_read(const MioRequest& request, Cycle cycle) {
  dispatch_.sources_read(request, cycle);
  due_.make_earlier(scheduler_.next_result());
}

void SubPartition::note_copy(unsigned slot, const isa::BulkCopy& copy, Cycle read) {
  Warps::Warp& warp = warps_.warp[slot];
  if (copy.way == isa::BulkCopy::Way::kToGlobal) {
    warps_.stored = read;
  } else if (warp.loads.known != warp.loads.begun) {
    warp.loads.waits.push_back({warp.loads.begun, nullptr, copy, 0});
  } else {
    events->loads_done(copy, std::max(read, warp.loads.done));
  }
}

void SubPartition::completed(const MioRequest& request, const MioCompletion& completion) {
  if (request.facts->loads_to_shared)
    end_load(request.slot, completion.result, &warps_.warp[request.slot].loads, *dependence_,
             *events.operator->());
  const Cycle next = dispatch_.completed(request, completion);
  due_.make_earlier(std::min(next, scheduler_.next_result()));
}

void SubPartition::left_queue() {
  if (scheduler_.candidates().wait_for_queue()) due_.set(0);
}

}  // namespace shflsim::model
