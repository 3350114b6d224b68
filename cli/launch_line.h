// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace shflsim::cli {

/// The launch options that code in the manual's syntax brings with it: the words of its comment
/// `// launch: --block 256 --reg Rvalue=hash`; none where it has no such line.
std::vector<std::string> launch_line(const std::string& path);

}  // namespace shflsim::cli
