// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cli/launch/input.h"
#include "sweep/engine.h"

namespace shflsim::cli {

/// The inputs that a sweep's patterns name, in their order and each pattern's by name: code and
/// traces, each FILE or FILE:KERNEL, lists of traces kernel by kernel, and launch files. The launch
/// options are for all of them. Everything that can be found wrong without executing code is an
/// InputError here, a line each.
std::vector<sweep::Input> sweep_inputs(const sweep::Spec& spec, const InputOptions& options,
                                       const MachineChoice& machine);

}  // namespace shflsim::cli
