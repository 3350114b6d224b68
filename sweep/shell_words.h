// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shflsim::sweep {

/// A text as one word of a POSIX shell: unchanged if possible, otherwise quoted.
std::string shell_word(const std::string& text);

}  // namespace shflsim::sweep
