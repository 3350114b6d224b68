// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "isa/code/code.h"

namespace shflsim::traces {

/// Writes what an operation's name with its modifiers says into the line, "LDG.E.64": all that a
/// trace without instruction words has. A name that the family's opcode table does not have is of
/// the uniform data path if it starts with a U (sm_70 and later), else integer arithmetic.
void set_named_operation(isa::Family family, std::string_view name, isa::CodeLine* line);

}  // namespace shflsim::traces
