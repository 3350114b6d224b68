// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shflsim::isa {

/// A C++ name as it is written in a program, "void scale<float>(float*, int)"; other names as they
/// are.
std::string demangled(const std::string& name);
/// The name alone, without what stands around it: "scale".
std::string function_name(const std::string& demangled);

}  // namespace shflsim::isa
