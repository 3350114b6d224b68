// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "isa/ptx/lines/lines.h"

namespace shflsim::isa::ptx {

/// What is wrong with a function's lines, as a sentence; "" for nothing. Operands fit their
/// operation and name registers that exist, and blocks lead to blocks.
std::string fault_in(const Code& code);
/// Until registers have numbers: no temporary register is read before it is written.
std::string fault_in_uses(const Code& code);

}  // namespace shflsim::isa::ptx
