// SPDX-License-Identifier: Apache-2.0
#include "sweep/chosen_network.h"

#include <string>

#include "model/shuffle/pass_time.h"
#include "model/shuffle/shuffle_energy.h"
#include "model/shuffle/shuffle_unit.h"
#include "report/compare_design.h"

namespace shflsim::sweep {
namespace {

constexpr double kNanometresPerMicrometre = 1e3;

model::ShuffleParams unit_params(const model::ConfigLayers& layers) {
  model::ShuffleParams params;
  model::ParameterList list;
  params.list(list);
  report::read_part(layers, list);
  return params;
}

/// A 32-bit wire a track, along all lanes, on one layer.
double channel_area(const model::Technology& technology, uint32_t tracks) {
  const double width = tracks * model::kWordBits * technology.wire_pitch / kNanometresPerMicrometre;
  return width * isa::kLanes * technology.lane_pitch;
}

report::UnitCost unit_cost(const model::Wiring& wiring, const model::Technology& technology) {
  report::UnitCost cost;
  const auto* cells = model::cell_library(technology.library).find(wiring);
  if (cells != nullptr) cost.cells = *cells;
  if (wiring.outputs().empty()) cost.cells = model::SynthesisedNetwork();
  cost.channel = channel_area(technology, model::cost_of(wiring).wire_tracks);
  cost.pitches = model::pitches(wiring);
  cost.time = model::pass_time(wiring, technology, technology.lane_pitch);
  return cost;
}

}  // namespace

ChosenNetwork chosen_network(const model::ConfigLayers& layers) {
  const std::unique_ptr<model::NetworkChoice> choice = report::network_choice(layers);
  const model::ShuffleParams params = unit_params(layers);
  const model::Technology& technology = choice->technology();
  ChosenNetwork chosen;
  chosen.network = choice->make();
  const model::Wiring wiring = chosen.network->wiring();
  report::DesignCost& cost = chosen.cost;
  cost.network = choice->network();
  cost.units = model::kSubPartitions / params.cluster;
  cost.network_cost = model::cost_of(wiring);
  cost.pass_energy = model::pass_energy(cost.network_cost, technology, isa::kLanes);
  cost.register_energy = model::shuffle_energy(cost.network_cost, technology, isa::kLanes, 0);
  cost.technology = technology;
  cost.has_depth = choice->has_depth();
  cost.unit = unit_cost(wiring, technology);
  cost.crossbar = unit_cost(model::crossbar_wiring(), technology);
  const auto latency_at = [&](uint32_t pitch) {
    return model::with_depth(params, *choice, pitch).latency;
  };
  cost.latency = latency_at(technology.lane_pitch);
  cost.latency_least = latency_at(technology.lane_pitch_least);
  cost.latency_most = latency_at(technology.lane_pitch_most);
  return chosen;
}

}  // namespace shflsim::sweep
