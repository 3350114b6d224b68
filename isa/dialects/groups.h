// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/code/program.h"

namespace shflsim::isa {

/// Whether the same warp continues behind such an instruction: its issue code is a stall count that
/// stays on the warp, or lets the next instruction issue along with it.
bool goes_on(const Control& control);

/// Lets another warp issue behind every sixth issue, as ptxas does in SPA 5.0 code (of 589 groups
/// in its code for tests/data/sm50 and tests/data/corpus that begin and end at no wait, 515 have 6,
/// a pair counting once). Control bits have to be chosen before.
void end_groups(Program* program);

}  // namespace shflsim::isa
