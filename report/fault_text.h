// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "isa/input_error.h"

namespace shflsim::report {

/// An error's faults, one line each. With `with_source`, for a terminal, each that has a line and a
/// column of a file is followed by that line, and below it by a caret and tildes under the word
/// that it is about. The file is read again; one that cannot be is not shown.
std::string fault_text(const InputError& error, bool with_source);

}  // namespace shflsim::report
