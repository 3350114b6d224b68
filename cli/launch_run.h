// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "isa/machine/machine.h"
#include "model/config/config.h"

namespace shflsim::cli {

/// What `run --launch` takes besides the file.
struct LaunchRunOptions {
  model::ConfigLayers layers;
  isa::MachineOptions machine;
  std::string json;  ///< path, "" for none; of several launches the N-th writes PATH's stem.N.json
  std::string csv;
};

/// Executes and times the launches of a file one after the other, with the same device memory, and
/// prints each one's report. Returns an ExitStatus: kNo where a buffer is not as expected.
int run_launch_file(const std::string& path, const LaunchRunOptions& options);

}  // namespace shflsim::cli
