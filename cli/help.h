// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/face.h"

namespace shflsim::cli {

/// `shflsim --help`: what the commands are.
std::string overview();

/// `shflsim COMMAND --help`, in 80 columns: how it is called, an example, its arguments, its
/// options by group, exit statuses and environment.
std::string help_text(const Face& face);

/// What every help ends with: exit statuses and environment.
std::string help_ending();

}  // namespace shflsim::cli
