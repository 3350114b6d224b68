// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "isa/code/code.h"

namespace shflsim::traces {

/// Sets the fields of a line that follow from the operation's name with modifiers, "LDG.E.64", for
/// traces without instruction words. A name that is not in the family's opcode table counts as an
/// operation of the uniform datapath if it begins with U (sm_70 and later), otherwise as integer
/// arithmetic.
void set_named_operation(isa::Family family, std::string_view name, isa::CodeLine* line);

}  // namespace shflsim::traces
