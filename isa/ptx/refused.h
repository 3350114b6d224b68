// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shflsim::isa::ptx {

/// Why SPA 5.0 cannot have that instruction of PTX, "" for one that PTX does not have either.
std::string why_refused(const std::string& opcode);

}  // namespace shflsim::isa::ptx
