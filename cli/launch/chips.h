// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "isa/codec/arch.h"

namespace shflsim::cli {

/// The shipped machine of each architecture's number (90: gh100), as traces name it too.
const std::map<unsigned, std::string>& chips();
/// The machine that code is timed on where the user names none: of sm_70 and later the
/// architecture's own chip, and the default one of all code before.
std::string machine_of(isa::Arch arch);

}  // namespace shflsim::cli
