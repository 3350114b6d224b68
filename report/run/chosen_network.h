// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "model/config/config.h"
#include "report/run/design_cost.h"

namespace shflsim::report {

/// The shuffle network that a design's config chooses, with its cost.
struct ChosenNetwork {
  DesignCost cost;
  std::unique_ptr<model::ShuffleNetwork> network;
};
/// Throws InputError for an invalid config.
ChosenNetwork chosen_network(const model::ConfigLayers& layers);

/// The cost of the network of a run's machine; nothing if the result does not have the whole
/// config.
std::optional<DesignCost> cost_of_run(const model::RunResult& result);

}  // namespace shflsim::report
