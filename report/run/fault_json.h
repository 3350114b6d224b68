// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "isa/base/input_error.h"

namespace shflsim::report {

/// Why a command failed, as one document for a program to read: {"schema": "shflsim-errors/1",
/// "errors": [{"file", "line", "column", "what", "expected"}]}, an object a fault, without the
/// members that are not known. `remarks` are what was said before, where that is anything.
std::string fault_json(const InputError& error, const std::vector<std::string>& remarks);
/// The JSON of a failure that the input did not cause; `what` may have several lines.
std::string fault_json(const std::string& what, const std::vector<std::string>& remarks);

}  // namespace shflsim::report
