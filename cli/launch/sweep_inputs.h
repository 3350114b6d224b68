// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cli/launch/input.h"
#include "sweep/engine.h"

namespace shflsim::cli {

/// The inputs that the patterns of a sweep name, in the order of the patterns and by name within a
/// pattern: code and traces (FILE or FILE:KERNEL), lists of traces kernel by kernel, and launch
/// files. The launch options apply to all. Reports all errors that can be found without executing
/// code as one InputError, a line for each.
std::vector<sweep::Input> sweep_inputs(const sweep::Spec& spec, const InputOptions& options,
                                       const MachineChoice& machine);

}  // namespace shflsim::cli
