// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shflsim::isa {

/// The demangled form of a C++ name, "void scale<float>(float*, int)"; other names are returned
/// unchanged.
std::string demangled(const std::string& name);
/// The function's name without result type, template arguments and parameters: "scale".
std::string function_name(const std::string& demangled);

}  // namespace shflsim::isa
