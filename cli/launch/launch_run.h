// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/launch/input.h"
#include "cli/launch/judged_run.h"
#include "cli/options/timing_options.h"
#include "isa/machine/machine.h"
#include "traces/trace.h"

namespace shflsim::cli {

/// What `run --launch` takes besides the file.
struct LaunchRunOptions {
  TimingOptions timing;
  WhatIfOptions what_ifs;  ///< of one FILE only, except for `without_verdict`
  isa::MachineOptions machine;
  bool saves_anywhere = false;  ///< outside the launch file's folder too
};

/// Executes and times the launches of a file one after the other, in one device memory, and prints
/// a report of each. Returns an ExitStatus: kNo if a buffer is not as expected. Stops after a
/// launch whose run was cut short.
int run_launch_file(const std::string& path, const LaunchRunOptions& options);

/// The traces of a file's launches, executed in order in one device memory. Nothing is saved.
std::vector<traces::Trace> executed_launches(const std::string& path,
                                             const isa::MachineOptions& machine);
/// The kernel of a launch, and the machine for its code.
struct LaunchedKernel {
  std::string name;
  std::string machine;
};
/// The kernels and machines of a file's launches. Opens every file that the launches need.
std::vector<LaunchedKernel> launched_kernels(const std::string& path);
/// The machine that the code of all these kernels is for. Throws InputError if the kernels need
/// different machines.
std::string machine_of(const std::vector<LaunchedKernel>& kernels, const std::string& path);

/// True if the file exists and its first line of content begins a launch file.
bool is_launch_file(const std::string& path);
/// Throws InputError for options that a launch file replaces.
void refuse_launch_options(const std::string& path, const InputOptions& options);

}  // namespace shflsim::cli
