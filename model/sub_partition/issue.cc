// SPDX-License-Identifier: Apache-2.0
// Issue: the choice of a warp, what its instruction starts, and where the warp stands afterwards.
#include <algorithm>
#include <utility>

#include "model/shared_memory/shared_memory.h"
#include "model/sub_partition/sub_partition.h"

namespace shflsim::model {

void SubPartition::issue(unsigned slot, Cycle now) {
  const IssueRecord& record = *record_[slot];
  charge(slot, now);
  stats_[slot]->states[static_cast<size_t>(WarpState::kSelected)] += 1;
  remove_candidate(slot);
  if (last_issue_[slot] == 0) warps_[slot].stats->first_issue = now;
  choice_.last = slot;
  choice_.last_yields = record.yields;
  last_issue_[slot] = now + 1;
  last_clock_ = now - frozen_ + 1;
  bool may_pair = record.is_first_of_pair;
  do dispatch(slot, now);
  while (std::exchange(may_pair, false) && takes_second(slot, now));
  since_[slot] = now + 1;
  settle(slot, now);
}

/// The second instruction of a marked pair goes along where nothing is in its own way; its warp is
/// charged one `selected` for both, and the second is counted as issued without a warp-cycle.
bool SubPartition::takes_second(unsigned slot, Cycle now) {
  if (is_in(exited_ | at_barrier_, slot)) return false;
  if (ready_state_[slot] == WarpState::kNoInstruction) return false;
  if (blocker(slot, now) != WarpState::kSelected || !has_way(slot, now)) {
    ready_[slot] = now + 1;
    ready_state_[slot] = WarpState::kWait;
    return false;
  }
  choice_.last_yields = record_[slot]->yields;
  ++result_.dual_issued;
  return true;
}

bool SubPartition::has_way(unsigned slot, Cycle now) const {
  return frozen_until_ <= now && is_open(record_[slot]->way, now) &&
         behind_their_banks(slot_bit(slot), now) == 0;
}

inline void SubPartition::dispatch(unsigned slot, Cycle now) {
  const IssueRecord& record = *record_[slot];
  const isa::LaneMask lanes = warps_[slot].steps->step().lanes;
  InstructionStats& stats = *stats_[slot];
  ++stats.issued;
  stats.lanes +=
      lanes == isa::kAllLanes ? isa::kLanes : static_cast<uint64_t>(__builtin_popcount(lanes));
  if (record.is_clock_read) warps_[slot].stats->clock_reads.push_back(now);
  if (record.dependence.issue) dependence_->issued(slot, *record.facts, now);
  if (is_math(record.way)) {
    start_math(slot, now);
  } else if (record.way != Way::kNothing) {
    send_to_mio(slot, record.way, now);
  } else {
    start_nothing(slot, now);
  }
  go_on(slot, record, now);
}

inline void SubPartition::start_math(unsigned slot, Cycle now) {
  const IssueRecord& record = *record_[slot];
  const Facts& facts = *record.facts;
  const RegisterFile::Read read = register_file_.read(facts, record.reads, slot, now);
  math_.start(facts.math, now);
  if (record.writes != 0) write_port_.issued(record.writes, now);
  stats_[slot]->register_conflicts += read.conflicts;
  if (read.freeze != 0) freeze(now, read.freeze);
  if (!record.dependence.results) return;
  dependence_->sources_read(slot, facts, read.done);
  dependence_->result_ready(slot, facts, now + record.latency);
}

/// Branches, and what the front end does by itself.
void SubPartition::start_nothing(unsigned slot, Cycle now) {
  const IssueRecord& record = *record_[slot];
  if (!record.dependence.results) return;
  dependence_->sources_read(slot, *record.facts, now + 1);
  dependence_->result_ready(slot, *record.facts, now + 1);
}

void SubPartition::send_to_mio(unsigned slot, Way way, Cycle now) {
  const Facts& facts = facts_[index_[slot]];
  const traces::WarpReader& steps = *warps_[slot].steps;
  const traces::Step& step = steps.step();
  MioRequest request;
  request.facts = &facts;
  request.static_index = index_[slot];
  request.slot = slot;
  request.issued = now;
  if (facts.pipe == isa::Pipe::kShuffle) request.lane_map = step.payload;
  if (facts.pipe == isa::Pipe::kShared && step.payload != traces::Step::kNone) {
    request.wavefronts =
        shared_wavefronts(steps.addresses(), step.lanes, facts.access_bytes, shared_banks_);
  }
  ++warps_[slot].in_flight;
  if (way != Way::kSpecial) return mio_queue_.push(request, now);
  sources_read(request, now + mio_queue_.shortest_read());
  completed(request, special_function->start(number_, request, now));
}

/// Moves the warp to its next step and says when that may issue at the earliest.
inline void SubPartition::go_on(unsigned slot, const IssueRecord& record, Cycle now) {
  ready_[slot] = now + record.stall;
  ready_state_[slot] = WarpState::kWait;
  if (record.is_block_barrier) arrive_at_barrier(slot, now);
  traces::WarpReader& steps = *warps_[slot].steps;
  if (!steps.next()) return exit(slot, now);
  const uint32_t index = steps.step().index;
  if (index == index_[slot] + 1) {
    ++index_[slot];
    ++record_[slot];
    ++stats_[slot];
    if (record_[slot]->is_fetch_point) await_code(slot, fetch_.advance(slot, index, now));
    return;
  }
  stand_before(slot, index);
  const Cycle led = now + branch_latency_;
  if (led > ready_[slot]) {
    ready_[slot] = led;
    ready_state_[slot] = WarpState::kBranchResolving;
  }
  if (fetch_.can_miss()) await_code(slot, fetch_.jump(slot, index, led));
}

void SubPartition::await_code(unsigned slot, Cycle there) {
  if (there <= ready_[slot]) return;
  ready_[slot] = there;
  ready_state_[slot] = WarpState::kNoInstruction;
}

void SubPartition::arrive_at_barrier(unsigned slot, Cycle now) {
  if (front_end_.barrier_deferred != 0) {
    warps_[slot].barrier_release = kNever;
    events->arrived_at_barrier(number_, slot, now + front_end_.barrier_arrival);
  } else {
    at_barrier_ |= slot_bit(slot);
    events->arrived_at_barrier(number_, slot, now);
  }
}

void SubPartition::exit(unsigned slot, Cycle now) {
  at_barrier_ &= ~slot_bit(slot);
  exited_ |= slot_bit(slot);
  warps_[slot].drained = std::max(warps_[slot].drained, now + 1);
  events->exited(number_, slot, now);
}

/// Where the warp stands behind its issue.
inline void SubPartition::settle(unsigned slot, Cycle now) {
  if (is_in(exited_, slot)) return move(slot, WarpState::kDrain);
  if (is_in(at_barrier_, slot)) return move(slot, WarpState::kBarrier);
  if (ready_[slot] == now + 1)
    next_up_ |= slot_bit(slot);
  else
    sleep(slot);
  if (state_[slot] != ready_state_[slot]) move(slot, ready_state_[slot]);
}

/// Issue, stall counts and math pipes stand still behind `now`; results and the MIO do not.
void SubPartition::freeze(Cycle now, Cycle cycles) {
  frozen_until_ = now + 1 + cycles;
  frozen_ += cycles;
  math_.freeze(now, cycles);
  for (Cycle& ready : ready_) {
    if (ready > now) ready += cycles;
  }
  if (sleeping_ != 0) next_ready_ += cycles;
}

void SubPartition::sources_read(const MioRequest& request, Cycle cycle) {
  dependence_->sources_read(request.slot, *request.facts, cycle);
  due_ = std::min(due_, dependence_->due());
}

void SubPartition::left_queue() {
  if ((in_state(WarpState::kMioThrottle) | in_state(WarpState::kLgThrottle)) != 0) due_ = 0;
}

void SubPartition::completed(const MioRequest& request, const MioCompletion& completion) {
  const isa::Pipe pipe = request.facts->pipe;
  const bool writes = request.facts->footprint.write_count != 0 &&
                      (pipe == isa::Pipe::kShuffle || pipe == isa::Pipe::kShared);
  if (!writes || !write_port_.is_limited()) return finish(request, completion);
  write_port_.wait(request, completion);
  due_ = std::min(due_, write_port_.due());
}

void SubPartition::finish(const MioRequest& request, const MioCompletion& completion) {
  Warp& warp = warps_[request.slot];
  --warp.in_flight;
  dependence_->result_ready(request.slot, *request.facts, completion.result);
  InstructionStats& stats = result_.instructions[request.static_index];
  record_latency(stats, completion.result - request.issued);
  stats.passes += completion.passes;
  stats.port_conflicts += completion.port_conflicts;
  stats.shared_wavefronts += completion.wavefronts;
  stats.shared_conflicts += completion.wavefronts > 0 ? completion.wavefronts - 1 : 0;
  stats.undefined_reads += completion.undefined_reads;
  warp.drained = std::max(warp.drained, completion.result);
  due_ = std::min(due_, dependence_->due());
  if (is_in(exited_, request.slot)) due_ = std::min(due_, warp.drained);
}

void SubPartition::collect() {
  for (size_t i = 0; i < records_.size(); ++i) {
    InstructionStats& stats = result_.instructions[i];
    if (!is_math(records_[i].way) || stats.issued == 0) continue;
    const Cycle latency = records_[i].latency;
    stats.results = stats.issued;
    stats.latency_min = stats.latency_max = latency;
    stats.latency_sum = stats.issued * latency;
  }
}

void SubPartition::record_latency(InstructionStats& stats, Cycle latency) {
  stats.latency_min = stats.results == 0 ? latency : std::min(stats.latency_min, latency);
  stats.latency_max = std::max(stats.latency_max, latency);
  stats.latency_sum += latency;
  ++stats.results;
}

}  // namespace shflsim::model
