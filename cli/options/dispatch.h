// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace shflsim::cli {

/// Calls the command that the arguments name. Returns an ExitStatus. Passes on its exceptions.
int dispatch(const std::vector<std::string>& arguments);

}  // namespace shflsim::cli
