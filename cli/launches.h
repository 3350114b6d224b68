// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>
#include <string>
#include <vector>

#include "cli/input.h"
#include "cli/view_options.h"
#include "model/config/config.h"

namespace shflsim::cli {

/// Each kernel of a list of several traces of which none was chosen, as LIST:KERNEL; none for any
/// other input.
std::vector<std::string> listed_launches(const Input& input);

/// Times each kernel of a list of traces, one after the other and each on its own machine, and
/// prints a row of figures of each and of all. The views of the n-th kernel are files of their own,
/// as ViewFiles says. `sms` as model::run. Returns an ExitStatus: one that is cut short is the
/// last. Throws InputError.
int run_list(const std::vector<std::string>& launches, const ViewFiles& views, unsigned sms,
             const boost::program_options::variables_map& values);

}  // namespace shflsim::cli
