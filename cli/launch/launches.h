// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/launch/input.h"
#include "cli/options/result_format.h"
#include "cli/options/timing_options.h"

namespace shflsim::cli {

/// Each kernel of a list of several traces of which none was chosen, as LIST:KERNEL; none for any
/// other input.
std::vector<std::string> listed_launches(const Input& input);

/// Times each kernel of a list of traces, one after the other and each on its own machine, and
/// prints a row of figures of each and of all. The views of the n-th kernel are files of their own,
/// as ViewFiles says. Returns an ExitStatus: one that is cut short is the last. Throws InputError.
int run_list(const std::vector<std::string>& launches, const InputOptions& options,
             const TimingOptions& timing, ResultFormat format);

}  // namespace shflsim::cli
