// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "isa/code/code.h"

namespace shflsim::traces {

/// Sets what follows from an operation's name with its modifiers, "LDG.E.64": all that a trace
/// without instruction words has. A name that is not in the family's opcode table counts as an
/// operation of the uniform data path if it starts with a U (sm_70 and later), else as integer
/// arithmetic.
void set_named_operation(isa::Family family, std::string_view name, isa::CodeLine* line);

}  // namespace shflsim::traces
