// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/code/program.h"

namespace shflsim::isa {

/// Marks operands `.reuse` as ptxas does in SPA 5.0 code: those of math whose register the next
/// reader in the same position, math too, finds unchanged, where the warp goes on by itself up to
/// there (isa/dialects/groups.h). The position is that of the reuse bit. Of the 2,341 marks in
/// ptxas' code for tests/data/sm50 and tests/data/corpus these are all but one, and 13 more, most
/// of them on double precision. Marks that are there stay. Control bits have to be chosen before.
void mark_reuse(Program* program);

}  // namespace shflsim::isa
