// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "model/config/config.h"
#include "report/run/design_cost.h"

namespace shflsim::report {

/// What a design's config chooses for the shuffle units.
struct ChosenNetwork {
  DesignCost cost;
  std::unique_ptr<model::ShuffleNetwork> network;
};
/// Throws InputError for a config that cannot be used.
ChosenNetwork chosen_network(const model::ConfigLayers& layers);

/// The cost of the network of a run's machine; nothing if the result does not have
/// the whole config.
std::optional<DesignCost> cost_of_run(const model::RunResult& result);

}  // namespace shflsim::report
