// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/machine/machine.h"
#include "runtime/device/errors.h"
#include "runtime/device/machine.h"
#include "runtime/device/module.h"
#include "runtime/protocol/launch_row.h"

namespace shflsim::runtime {

/// How a kernel is launched.
struct LaunchSpec {
  isa::Extent grid;
  isa::Extent block;
  isa::Extent cluster;
  size_t shared_bytes = 0;  ///< dynamic
  std::vector<uint8_t> parameters;
  bool is_cooperative = false;
  uint64_t number = 0;  ///< in the order of the program's launches, from 1
};

/// Why the runtime refuses a launch before anything runs; kSuccess if it does not.
Error refusal_of(const Kernel& kernel, const LaunchSpec& spec, const Machine& machine);

/// A launch that was executed.
struct Launched {
  LaunchRow row;
  Error error = kSuccess;
  std::string message;  ///< why the kernel ended early
  std::string printed;  ///< text that its threads printed
};

/// Executes a launch, and times it if the options ask for that.
Launched run_launch(const Kernel& kernel, const LaunchSpec& spec, const Machine& machine,
                    const ExecOptions& options, isa::DeviceMemory& memory);

}  // namespace shflsim::runtime
