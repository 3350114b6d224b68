// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/launch/input.h"
#include "cli/options/timing_options.h"
#include "isa/machine/machine.h"
#include "traces/trace.h"

namespace shflsim::cli {

/// What `run --launch` takes besides the file.
struct LaunchRunOptions {
  TimingOptions timing;
  isa::MachineOptions machine;
  bool saves_anywhere = false;  ///< outside the launch file's folder too
};

/// Executes and times the launches of a file one after the other, with the same device memory, and
/// prints each one's report. Returns an ExitStatus: kNo where a buffer is not as expected. A
/// launch that is cut short is the last one.
int run_launch_file(const std::string& path, const LaunchRunOptions& options);

/// What the launches of a file execute, in order, with the same device memory. Nothing is saved.
std::vector<traces::Trace> executed_launches(const std::string& path,
                                             const isa::MachineOptions& machine);
/// The kernel of a launch, and the machine for its code.
struct LaunchedKernel {
  std::string name;
  std::string machine;
};
/// Those of a file's launches. Opens every file that they need.
std::vector<LaunchedKernel> launched_kernels(const std::string& path);
/// The machine for the code of all these kernels of a file. Throws InputError if it is not the
/// same.
std::string machine_of(const std::vector<LaunchedKernel>& kernels, const std::string& path);

/// Whether there is a file, and its first line that says something begins a launch file.
bool is_launch_file(const std::string& path);
/// Throws InputError for options that a launch file leaves nothing to say for.
void refuse_launch_options(const std::string& path, const InputOptions& options);

}  // namespace shflsim::cli
