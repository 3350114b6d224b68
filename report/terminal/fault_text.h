// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "isa/base/input_error.h"

namespace shflsim::report {

/// An error's faults, one line each. With `with_source`, for a terminal, each that has a line and a
/// column of a file is followed by that line, and below it by a caret and tildes under the word
/// that it is about; the file is read again, and one that cannot be is not shown. A fault of the
/// command line is followed by the word of it that it is about: `words` are those behind the
/// program's name.
std::string fault_text(const InputError& error, bool with_source,
                       const std::vector<std::string>& words = {});

}  // namespace shflsim::report
