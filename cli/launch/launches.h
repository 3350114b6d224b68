// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/launch/input.h"
#include "cli/options/result_format.h"
#include "cli/options/timing_options.h"

namespace shflsim::cli {

/// The kernels of a list of traces, each as LIST:KERNEL, if the user chose none; empty for any
/// other input.
std::vector<std::string> listed_launches(const Input& input);

/// Times the kernels of a list of traces one after the other, each on its own machine. Prints a row
/// of figures for each kernel and one for all; the views of each kernel are separate files
/// (ViewFiles). Returns an ExitStatus. Stops after a run that was cut short. Throws InputError.
int run_list(const std::vector<std::string>& launches, const InputOptions& options,
             const TimingOptions& timing, ResultFormat format);

}  // namespace shflsim::cli
