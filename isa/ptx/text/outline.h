// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace shflsim::isa::ptx {

/// Returns a PTX text without comments and with empty function bodies. Each line keeps
/// its number.
std::string outline(std::string_view text);

}  // namespace shflsim::isa::ptx
