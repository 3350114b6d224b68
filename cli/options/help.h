// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/options/command.h"

namespace shflsim::cli {

/// `shflsim --help`: the commands, common options, exit statuses and environment.
std::string overview();

/// `shflsim COMMAND --help`, in 80 columns: usage, an example, the arguments and the common options
/// by group. With `all`: every option, the exit statuses and the environment.
std::string help_text(const Command& command, bool all);

/// `shflsim trace --help`: the verbs of a command.
std::string verbs_text(const Command& command);

}  // namespace shflsim::cli
