// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "isa/base/input_error.h"

namespace shflsim::report {

/// An error's faults, one line each. With `with_source`, for a terminal, a fault with a line and a
/// column of a file is followed by that line, with a caret and tildes below the word that is wrong;
/// a file that cannot be read again is not shown. A fault of the command line is followed by its
/// word: `words` are the words behind the program's name.
std::string fault_text(const InputError& error, bool with_source,
                       const std::vector<std::string>& words = {});

}  // namespace shflsim::report
