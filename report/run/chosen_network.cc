// SPDX-License-Identifier: Apache-2.0
#include "report/run/chosen_network.h"

#include <string>

#include "model/run.h"
#include "model/shuffle/narrow.h"
#include "model/shuffle/pass_time.h"
#include "model/shuffle/pipeline_stages.h"
#include "model/shuffle/routing.h"
#include "model/shuffle/shuffle_energy.h"
#include "model/shuffle/shuffle_unit.h"
#include "report/run/compare_design.h"

namespace shflsim::report {
namespace {

constexpr double kNanometresPerMicrometre = 1e3;

/// The area of `tracks` wires of 32 bits along all lanes, on one layer.
double channel_area(const model::Technology& technology, uint32_t tracks) {
  const double width = tracks * model::kWordBits * technology.wire_pitch / kNanometresPerMicrometre;
  return width * isa::kLanes * technology.lane_pitch;
}

UnitCost unit_cost(const model::Wiring& wiring, const model::NetworkCost& counted,
                   const model::Technology& technology) {
  UnitCost cost;
  const auto* cells = model::cell_library(technology.library).find(wiring);
  if (cells != nullptr) cost.cells = *cells;
  cost.channel = channel_area(technology, counted.wire_tracks);
  cost.pitches = model::pitches(wiring);
  cost.time = model::pass_time(wiring, technology, technology.lane_pitch);
  return cost;
}

/// Bits of a SHFL that waits at the unit's input: for each lane its word, the number of its source
/// lane, and whether it executes.
constexpr uint64_t kQueueEntryBits = uint64_t{isa::kLanes} * (model::kWordBits + 5 + 1);

/// The bits that count the slices of a pass and the cycles of its interval.
uint64_t control_registers(const model::ShuffleParams& params) {
  const unsigned slices = (isa::kLanes + params.lanes - 1) / params.lanes;
  return model::log2_of(slices) + model::log2_of(params.interval);
}

/// The bits between the stages of a pass. None if the next SHFL waits for the result, or if the
/// next pass waits for values in the network's registers.
uint64_t pipeline_registers(const model::Wiring& wiring, const model::ShuffleParams& params,
                            const model::PassTime& time) {
  if (params.pipelined == 0 || time.step != 0 || time.stages < 2) return 0;
  return model::PipelineStages(wiring, time.stages).register_bits(wiring, model::kWordBits);
}

UnitCost crossbar_cost(const model::Technology& technology) {
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
  read_part(layers, list);
  const model::Technology& technology = choice.technology();
  ChosenNetwork chosen;
  chosen.network = choice.make();
  const model::Wiring wiring = model::narrowed(chosen.network->wiring(), params.lanes);
  DesignCost& cost = chosen.cost;
  cost.network = choice.network();
  cost.units = model::kSubPartitions / params.cluster;
  cost.network_cost = model::cost_of(wiring);
  cost.pass_energy = model::pass_energy(cost.network_cost, technology, isa::kLanes, params.lanes);
  cost.register_energy = model::shuffle_energy(cost.network_cost, technology, isa::kLanes, 0);
  cost.technology = technology;
  cost.has_depth = choice.has_depth();
  cost.has_wires = !wiring.outputs().empty();
  cost.unit = unit_cost(wiring, cost.network_cost, technology);
  cost.control_registers = control_registers(params);
  cost.queue_registers = params.queue_depth * kQueueEntryBits;
  cost.pipeline_registers = pipeline_registers(wiring, params, cost.unit.time);
  cost.flip_flop_area = model::cell_library(technology.library).flip_flop;
  cost.crossbar = crossbar_cost(technology);
  const auto latency_at = [&](uint32_t pitch) {
    return model::with_depth(params, choice, pitch).latency;
  };
  cost.latency = latency_at(technology.lane_pitch);
  cost.latency_least = latency_at(technology.lane_pitch_least);
  cost.latency_most = latency_at(technology.lane_pitch_most);
  return chosen;
}

std::optional<DesignCost> cost_of_run(const model::RunResult& result) {
  if (result.config.size() < model::parameters().size()) return {};
  model::ConfigLayers layers;
  for (const model::ConfigValue& each : result.config)
    layers.add_setting(each.key + "=" + each.value);
  return chosen_network(layers).cost;
}

}  // namespace shflsim::report
