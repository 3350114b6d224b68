// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "isa/volta/volta_instruction.h"

namespace shflsim::isa {

/// The class of an operation of Volta or later by its name, up to the first dot ("LDG"); integer
/// arithmetic where the name is not known.
TimingClass timing_class(const std::string& operation);

}  // namespace shflsim::isa
