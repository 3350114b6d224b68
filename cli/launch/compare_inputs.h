// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/launch/input.h"
#include "report/compare/compare.h"

namespace shflsim::cli {

/// What `compare` compares: a kernel with its launch, or the launches of a launch file.
struct ComparedInput {
  std::string path;
  std::string machine;  ///< machine of the code or trace; "" if the user has chosen one
  std::function<std::vector<report::Workload>()> open;
};

/// The inputs that these words of the command line name. A list of traces becomes one input for
/// each of its traces. Throws InputError.
std::vector<ComparedInput> compared_inputs(const Strings& files, const InputOptions& options,
                                           const MachineChoice& choice);

}  // namespace shflsim::cli
