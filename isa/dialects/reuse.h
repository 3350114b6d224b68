// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/code/program.h"

namespace shflsim::isa {

/// Marks operands `.reuse` as ptxas does in SPA 5.0 code: operands of math instructions whose
/// register is unchanged when the next math instruction reads it in the same position (that of the
/// reuse bit), if no other warp may issue in between (isa/dialects/groups.h). Of the 2,341 marks in
/// ptxas' code for tests/data/sm50 and tests/data/corpus this sets all but one, and 13 more, most
/// of them on double precision. Existing marks are kept. The control bits must have been chosen
/// before.
void mark_reuse(Program* program);

}  // namespace shflsim::isa
