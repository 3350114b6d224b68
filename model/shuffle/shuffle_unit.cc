// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/shuffle_unit.h"

#include <algorithm>
#include <utility>

namespace shflsim::model {

ShuffleUnit::ShuffleUnit(const sc_core::sc_module_name& name, const ShuffleParams& params,
                         std::unique_ptr<ShuffleNetwork> network, InOrderPipe& pipe,
                         const std::vector<isa::LaneMap>& maps)
    : sc_module(name),
      params_(params),
      network_(std::move(network)),
      pipe_(pipe),
      maps_(maps),
      costs_(maps.size()) {}

Cycle ShuffleUnit::free_from(unsigned /*sub_partition*/, Cycle now) const {
  return std::max(now, pipe_.free);
}

MioCompletion ShuffleUnit::start(unsigned /*sub_partition*/, const MioRequest& request, Cycle now) {
  const Cost& cost = cost_of(request.step->payload);
  busy_ += cost.cycles;
  ++operations_;
  MioCompletion completion;
  completion.result = pipe_.take(now, cost.cycles, params_.latency);
  completion.passes = cost.passes;
  completion.port_conflicts = cost.port_conflicts;
  completion.undefined_reads =
      static_cast<uint32_t>(__builtin_popcount(maps_[request.step->payload].undefined));
  return completion;
}

const ShuffleUnit::Cost& ShuffleUnit::cost_of(uint32_t map) {
  Cost& cost = costs_[map];
  if (cost.passes != 0) return cost;
  const Schedule schedule = network_->route(maps_[map]);
  cost.passes = std::max(1u, schedule.pass_count());
  cost.port_conflicts = schedule.port_conflicts();
  for (const auto& pass : schedule.passes) {
    const uint32_t lanes = static_cast<uint32_t>(pass.deliveries.size());
    cost.cycles += std::max(1u, (lanes + params_.lanes - 1) / params_.lanes);
  }
  cost.cycles = std::max(1u, cost.cycles);
  return cost;
}

}  // namespace shflsim::model
