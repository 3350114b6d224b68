// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/shuffle_unit.h"

#include <algorithm>
#include <utility>

#include "model/shuffle/narrow.h"
#include "model/shuffle/pass_time.h"

namespace shflsim::model {

ShuffleParams with_depth(ShuffleParams params, const NetworkChoice& choice, uint32_t lane_pitch) {
  if (!choice.has_depth()) return params;
  const Technology& technology = choice.technology();
  const PassTime network =
      pass_time(narrowed(choice.make()->wiring(), params.lanes), technology, lane_pitch);
  const PassTime crossbar = pass_time(crossbar_wiring(), technology, lane_pitch);
  params.memory_latency = params.latency;
  params.latency = latency_by_depth(params.latency, network, crossbar);
  params.step = std::max(1u, network.step);
  return params;
}

UnitTime unit_time(const Schedule& schedule, const ShuffleParams& params) {
  UnitTime time{0, schedule.set_up, params.latency};
  for (const Pass& pass : schedule.passes) {
    isa::LaneMask lanes = 0;
    for (const Delivery& delivery : pass.deliveries) lanes |= 1u << delivery.lane % isa::kLanes;
    time.cycles += slices_of(lanes, params.lanes);
    if (pass.through_memory && params.memory_latency != 0) time.latency = params.memory_latency;
  }
  time.cycles += (std::max(1u, schedule.pass_count()) - 1) * (params.step - 1);
  time.cycles = std::max(1u, time.cycles);
  return time;
}

ShuffleUnit::ShuffleUnit(const sc_core::sc_module_name& name, const ShuffleParams& params,
                         std::unique_ptr<ShuffleNetwork> network,
                         const std::vector<isa::LaneMap>& maps)
    : Unit(name),
      params_(params),
      is_exclusive_(params.queue_depth == 0 && (params.interval > 1 || params.pipelined == 0)),
      network_(std::move(network)),
      maps_(maps),
      empty_{{1, 0, params.latency}, {1, 0, 0}} {
  taken_by_.fill(kNobody);
}

void ShuffleUnit::end_of_elaboration() {
  for (unsigned s = 0; s < kSubPartitions; ++s) pipe_[s] = pipe[s].operator->();
}

Cycle ShuffleUnit::free_from(unsigned sub_partition, Cycle now) const {
  if (is_exclusive_) {
    const unsigned taken_by = taken_by_[unit_of(sub_partition)];
    if (taken_by != kNobody && taken_by != sub_partition) return kNever;
  }
  if (params_.queue_depth == 0) return std::max(now, pipe_[sub_partition]->free());
  const std::deque<Cycle>& waiting = waiting_[unit_of(sub_partition)];
  if (waiting.size() < params_.queue_depth) return now;
  return std::max(now, waiting[waiting.size() - params_.queue_depth]);
}

Cycle ShuffleUnit::begin_of(unsigned sub_partition, Cycle now) {
  std::deque<Cycle>& waiting = waiting_[unit_of(sub_partition)];
  while (!waiting.empty() && waiting.front() <= now) waiting.pop_front();
  const Cycle begin = std::max(now, pipe_[sub_partition]->free());
  if (begin > now) waiting.push_back(begin);
  return begin;
}

MioCompletion ShuffleUnit::start(unsigned sub_partition, const MioRequest& request, Cycle now) {
  const Cost& cost = cost_of(request.payload);
  InOrderPipe& data = *pipe_[sub_partition];
  // Without a queue, the arbiter has waited for the unit.
  const Cycle begin = params_.queue_depth == 0 ? now : begin_of(sub_partition, now);
  const Cycle first_pass = begin + cost.set_up;
  const Cycle last_pass = first_pass + Cycle{cost.cycles - 1} * params_.interval;
  if (watch != nullptr)
    watch->passes(sub_partition, request, first_pass, cost.cycles, params_.interval);
  MioCompletion completion;
  completion.result = data.deliver(last_pass + cost.latency, 1);
  data.hold(params_.pipelined != 0 ? last_pass + params_.interval : completion.result);
  count(data.free() - begin);
  if (is_exclusive_) taken_by_[unit_of(sub_partition)] = kNobody;
  counts_[request.static_index].add(cost.counts);
  if (request.facts->footprint.predicates_written != 0)
    completion.later = params_.predicate_latency;
  return completion;
}

uint64_t ShuffleUnit::held_from(Cycle end) const {
  uint64_t held = 0;
  for (unsigned unit = 0; unit < units(); ++unit)
    held += cycles_behind(end, pipe_[unit * params_.cluster]->free());
  return held;
}

const ShuffleUnit::Cost& ShuffleUnit::find_cost(uint32_t map) {
  if (map == traces::Step::kNone) return empty_;
  if (map >= places_) {
    costs_.resize(maps_.size());
    places_ = costs_.size();
  }
  Cost& cost = costs_[map];
  const Schedule schedule = network_->route(maps_[map]);
  static_cast<UnitTime&>(cost) = unit_time(schedule, params_);
  cost.counts.passes = std::max(1u, schedule.pass_count());
  cost.counts.port_conflicts = schedule.port_conflicts();
  cost.counts.undefined_reads = static_cast<uint64_t>(__builtin_popcount(maps_[map].undefined));
  return cost;
}

}  // namespace shflsim::model
