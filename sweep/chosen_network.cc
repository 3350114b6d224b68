// SPDX-License-Identifier: Apache-2.0
#include "sweep/chosen_network.h"

#include <string>

#include "model/shuffle/pass_time.h"
#include "model/shuffle/shuffle_energy.h"
#include "model/shuffle/shuffle_unit.h"
#include "report/run/compare_design.h"

namespace shflsim::sweep {
namespace {

constexpr double kNanometresPerMicrometre = 1e3;

/// A 32-bit wire a track, along all lanes, on one layer.
double channel_area(const model::Technology& technology, uint32_t tracks) {
  const double width = tracks * model::kWordBits * technology.wire_pitch / kNanometresPerMicrometre;
  return width * isa::kLanes * technology.lane_pitch;
}

report::UnitCost unit_cost(const model::Wiring& wiring, const model::NetworkCost& counted,
                           const model::Technology& technology) {
  report::UnitCost cost;
  const auto* cells = model::cell_library(technology.library).find(wiring);
  if (cells != nullptr) cost.cells = *cells;
  if (wiring.outputs().empty()) cost.cells = model::SynthesisedNetwork();
  cost.channel = channel_area(technology, counted.wire_tracks);
  cost.pitches = model::pitches(wiring);
  cost.time = model::pass_time(wiring, technology, technology.lane_pitch);
  return cost;
}

report::UnitCost crossbar_cost(const model::Technology& technology) {
  static const model::NetworkCost counted = model::cost_of(model::crossbar_wiring());
  return unit_cost(model::crossbar_wiring(), counted, technology);
}

}  // namespace

ChosenNetwork chosen_network(const model::ConfigLayers& layers) {
  model::NetworkChoice choice;
  model::ShuffleParams params;
  model::ParameterList list;
  choice.list(list);
  params.list(list);
  report::read_part(layers, list);
  const model::Technology& technology = choice.technology();
  ChosenNetwork chosen;
  chosen.network = choice.make();
  const model::Wiring wiring = chosen.network->wiring();
  report::DesignCost& cost = chosen.cost;
  cost.network = choice.network();
  cost.units = model::kSubPartitions / params.cluster;
  cost.network_cost = model::cost_of(wiring);
  cost.pass_energy = model::pass_energy(cost.network_cost, technology, isa::kLanes);
  cost.register_energy = model::shuffle_energy(cost.network_cost, technology, isa::kLanes, 0);
  cost.technology = technology;
  cost.has_depth = choice.has_depth();
  cost.unit = unit_cost(wiring, cost.network_cost, technology);
  cost.crossbar = crossbar_cost(technology);
  const auto latency_at = [&](uint32_t pitch) {
    return model::with_depth(params, choice, pitch).latency;
  };
  cost.latency = latency_at(technology.lane_pitch);
  cost.latency_least = latency_at(technology.lane_pitch_least);
  cost.latency_most = latency_at(technology.lane_pitch_most);
  return chosen;
}

}  // namespace shflsim::sweep
