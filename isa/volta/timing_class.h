// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "isa/volta/volta_instruction.h"

namespace shflsim::isa {

/// The class of an operation of Volta or later by its name with its modifiers ("IMAD.WIDE.U32").
/// Where the name is not known: the uniform data path if it starts with a U, else integer
/// arithmetic.
TimingClass timing_class(const std::string& operation);

}  // namespace shflsim::isa
