// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace shflsim::isa::ptx {

/// A PTX text with the bodies of its functions left empty, and without comments; each line keeps
/// its number.
std::string outline(std::string_view text);

}  // namespace shflsim::isa::ptx
