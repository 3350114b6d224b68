// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "model/config/config.h"
#include "report/run/design_cost.h"

namespace shflsim::sweep {

/// What a design's config chooses for the shuffle units.
struct ChosenNetwork {
  report::DesignCost cost;
  std::unique_ptr<model::ShuffleNetwork> network;
};
/// Throws InputError for a config that cannot be used.
ChosenNetwork chosen_network(const model::ConfigLayers& layers);

}  // namespace shflsim::sweep
