// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "isa/base/input_error.h"

namespace shflsim::report {

/// The faults of an error, one line each. With `with_source`, for a terminal, a fault at a line and
/// column of a file is followed by that line, with a caret and tildes below the wrong word, unless
/// the file cannot be read again. A fault of the command line is followed by its word: `words` are
/// the words after the program's name.
std::string fault_text(const InputError& error, bool with_source,
                       const std::vector<std::string>& words = {});

}  // namespace shflsim::report
