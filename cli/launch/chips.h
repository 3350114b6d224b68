// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "isa/codec/arch.h"

namespace shflsim::cli {

/// The shipped machine of each architecture, by the architecture's number (90: gh100).
const std::map<unsigned, std::string>& chips();
/// The machine that code is timed on if the user names none: from sm_70 on the chip of that
/// architecture, and for older code the default machine.
std::string machine_of(isa::Arch arch);

}  // namespace shflsim::cli
