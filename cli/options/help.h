// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/options/command.h"

namespace shflsim::cli {

/// `shflsim --help`: the commands, common options, exit statuses and environment.
std::string overview();

/// `shflsim COMMAND --help`, in 80 columns: how the command is called, an example, its arguments
/// and its common options by group. With `all` every option, exit statuses and environment.
std::string help_text(const Command& command, bool all);

/// `shflsim trace --help`: the verbs of a command.
std::string verbs_text(const Command& command);

}  // namespace shflsim::cli
