// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/config/config.h"

namespace shflsim::test {

/// A config and settings over it.
inline model::ConfigLayers layers_of(const std::string& config,
                                     const std::vector<std::string>& settings = {}) {
  model::ConfigLayers layers;
  layers.add_file(config);
  for (const std::string& setting : settings) layers.add_setting(setting);
  return layers;
}

}  // namespace shflsim::test
