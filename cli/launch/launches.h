// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/launch/input.h"
#include "cli/options/result_format.h"
#include "cli/options/timing_options.h"

namespace shflsim::cli {

/// Each kernel of a list of traces, as LIST:KERNEL, if the user chose none; empty for any other
/// input.
std::vector<std::string> listed_launches(const Input& input);

/// Times each kernel of a list of traces, one after the other and each on its own machine, and
/// prints a row of figures for each kernel and for all. Each kernel's views are separate files
/// (ViewFiles). Returns an ExitStatus; a run that is cut short is the last. Throws InputError.
int run_list(const std::vector<std::string>& launches, const InputOptions& options,
             const TimingOptions& timing, ResultFormat format);

}  // namespace shflsim::cli
