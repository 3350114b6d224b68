// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "isa/base/input_error.h"

namespace shflsim::report {

/// The errors of a command as one document: {"schema": "shflsim-errors/1", "errors": [{"file",
/// "line", "column", "what", "expected"}]}, one object per fault, without unknown members.
/// `remarks`, if any, are those printed before the error.
std::string fault_json(const InputError& error, const std::vector<std::string>& remarks);
/// The JSON of a failure that the input did not cause; `what` may have several lines.
std::string fault_json(const std::string& what, const std::vector<std::string>& remarks);

}  // namespace shflsim::report
