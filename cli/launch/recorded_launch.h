// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "isa/code/program.h"
#include "isa/machine/machine.h"
#include "model/config/config.h"
#include "traces/trace.h"

namespace shflsim::cli {

/// A launch and the device memory that it uses.
struct LaunchOnMemory {
  const isa::Program& program;
  const isa::Launch& launch;
  isa::DeviceMemory& memory;
  isa::MachineOptions options = {};
};

/// Executes the launch while it is timed on one SM of the machine, and returns the recorded trace.
/// A launch that the machine cannot time is executed without timing. Throws InputError as
/// isa::execute does.
traces::Trace recorded(const LaunchOnMemory& what, const model::ConfigLayers& machine);

/// Records on `sms` SMs into a file, which appears when the launch has ended.
isa::Outcome recorded_to_file(const std::string& path, const LaunchOnMemory& what,
                              const model::ConfigLayers& machine, unsigned sms);

}  // namespace shflsim::cli
