// SPDX-License-Identifier: Apache-2.0
#include "sweep/chosen_network.h"

#include <string>

#include "model/run.h"
#include "report/compare_design.h"

namespace shflsim::sweep {
namespace {

uint32_t units_of(const model::ConfigLayers& layers) {
  uint32_t cluster = model::kSubPartitions;  // that share a unit
  for (const model::ConfigValue& value : model::effective_config(layers)) {
    if (value.key == "shuffle.cluster") cluster = static_cast<uint32_t>(std::stoul(value.value));
  }
  return model::kSubPartitions / cluster;
}

}  // namespace

ChosenNetwork chosen_network(const model::ConfigLayers& layers) {
  const std::unique_ptr<model::NetworkChoice> choice = report::network_choice(layers);
  ChosenNetwork chosen;
  chosen.network = choice->make();
  chosen.cost.network = choice->network();
  chosen.cost.units = units_of(layers);
  chosen.cost.network_cost = chosen.network->cost();
  const model::Technology& technology = choice->technology();
  chosen.cost.pass_energy = model::pass_energy(chosen.cost.network_cost, technology, isa::kLanes);
  chosen.cost.register_energy =
      model::shuffle_energy(chosen.cost.network_cost, technology, isa::kLanes, 0);
  return chosen;
}

}  // namespace shflsim::sweep
