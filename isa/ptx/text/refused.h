// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shflsim::isa::ptx {

/// Why SPA 5.0 cannot have this PTX instruction; "" if PTX does not have it either.
std::string why_refused(const std::string& opcode);
/// Why SPA 5.0 cannot have this type in an instruction's name.
std::string why_type_refused(const std::string& type);

/// Why this instruction is not lowered with this part in its name ("f16"); "" if it is.
std::string why_form_refused(const std::string& opcode, const std::string& part);

/// "hardware for it begins with sm_80, and PTX is lowered to sm_50's; expected ...".
std::string needs_hardware_of(const std::string& architecture);

}  // namespace shflsim::isa::ptx
