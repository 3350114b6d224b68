// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/shuffle_unit.h"

#include <algorithm>
#include <utility>

#include "isa/input_error.h"

namespace shflsim::model {

ShuffleUnit::ShuffleUnit(const sc_core::sc_module_name& name, const ShuffleParams& params,
                         std::unique_ptr<ShuffleNetwork> network, InOrderPipe& pipe,
                         const std::vector<isa::LaneMap>& maps)
    : sc_module(name),
      params_(params),
      network_(std::move(network)),
      units_(kSubPartitions / params.cluster),
      maps_(maps) {
  if (kSubPartitions % params_.cluster != 0) {
    throw InputError("shuffle.cluster = " + std::to_string(params_.cluster) +
                     ": sub-partitions cannot be shared out so; expected 1, 2 or 4");
  }
  if (params_.shares_pipe != 0 && units_.size() > 1) {
    throw InputError(
        "shuffle.shares_pipe = 1 with several units: shared memory has one pipe; expected "
        "shuffle.cluster = 4 or shuffle.shares_pipe = 0");
  }
  for (size_t i = 0; i < units_.size(); ++i) {
    units_[i].pipe = units_.size() == 1 ? &pipe : &own_pipes_[i];
  }
  for (unsigned s = 0; s < kSubPartitions; ++s) unit_of_[s] = &units_[s / params_.cluster];
}

Cycle ShuffleUnit::free_from(unsigned sub_partition, Cycle now) const {
  const Unit& unit = *unit_of_[sub_partition];
  if (params_.queue_depth == 0) return std::max(now, unit.pipe->free);
  if (unit.waiting.size() < params_.queue_depth) return now;
  return std::max(now, unit.waiting[unit.waiting.size() - params_.queue_depth]);
}

Cycle ShuffleUnit::take(InOrderPipe* pipe, Cycle start, uint32_t passes) const {
  const Cycle last_pass = start + Cycle{passes - 1} * params_.interval;
  pipe->last_return = std::max(pipe->last_return, last_pass + params_.latency);
  pipe->free = params_.pipelined != 0 ? last_pass + params_.interval : pipe->last_return;
  return pipe->last_return;
}

Cycle ShuffleUnit::begin_of(Unit* unit, Cycle now) const {
  if (params_.queue_depth == 0) return now;  // the arbiter has waited for the unit
  while (!unit->waiting.empty() && unit->waiting.front() <= now) unit->waiting.pop_front();
  const Cycle begin = std::max(now, unit->pipe->free);
  if (begin > now) unit->waiting.push_back(begin);
  return begin;
}

MioCompletion ShuffleUnit::start(unsigned sub_partition, const MioRequest& request, Cycle now) {
  const Cost& cost = cost_of(request.lane_map);
  Unit& unit = *unit_of_[sub_partition];
  const Cycle begin = begin_of(&unit, now);
  MioCompletion completion;
  completion.result = take(unit.pipe, begin, cost.cycles);
  busy_ += unit.pipe->free - begin;
  ++operations_;
  if (request.facts->footprint.predicates_written != 0)
    completion.result += params_.predicate_latency;
  completion.passes = cost.passes;
  completion.port_conflicts = cost.port_conflicts;
  completion.undefined_reads = cost.undefined_reads;
  return completion;
}

const ShuffleUnit::Cost& ShuffleUnit::find_cost(uint32_t map) {
  if (map == traces::Step::kNone) return empty_;
  if (map >= costs_.size()) costs_.resize(maps_.size());
  Cost& cost = costs_[map];
  const Schedule schedule = network_->route(maps_[map]);
  cost.passes = std::max(1u, schedule.pass_count());
  cost.port_conflicts = schedule.port_conflicts();
  cost.undefined_reads = static_cast<uint32_t>(__builtin_popcount(maps_[map].undefined));
  for (const auto& pass : schedule.passes) {
    const uint32_t lanes = static_cast<uint32_t>(pass.deliveries.size());
    cost.cycles += std::max(1u, (lanes + params_.lanes - 1) / params_.lanes);
  }
  cost.cycles = std::max(1u, cost.cycles);
  return cost;
}

}  // namespace shflsim::model
