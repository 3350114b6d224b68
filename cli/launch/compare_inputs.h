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
  std::string machine;  ///< that the code or trace is of; "" where the user has chosen one
  std::function<std::vector<report::Workload>()> open;
};

/// The inputs of these words of the command line. A list of traces stands for all traces that it
/// names. Throws InputError.
std::vector<ComparedInput> compared_inputs(const Strings& files, const InputOptions& options,
                                           const MachineChoice& choice);

}  // namespace shflsim::cli
