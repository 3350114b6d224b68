// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "isa/ptx/lines/lines.h"

namespace shflsim::isa::ptx {

/// A fault in a function's lines, as a sentence; "" if there is none. Checks that operands fit
/// their operation and name existing registers, and that blocks lead to blocks.
std::string fault_in(const Code& code);
/// Before registers have numbers: checks that no temporary register is read before it is written.
std::string fault_in_uses(const Code& code);

}  // namespace shflsim::isa::ptx
