// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/code/program.h"

namespace shflsim::isa {

/// True if the same warp continues after an instruction with this control: its issue code is a
/// stall count that stays on the warp, or lets the next instruction issue in the same cycle.
bool goes_on(const Control& control);

/// Lets another warp issue after every sixth issue, as ptxas does in SPA 5.0 code (of 589 groups
/// in its code for tests/data/sm50 and tests/data/corpus that begin and end at no wait, 515 have 6;
/// a pair counts once). The control bits must have been chosen before.
void end_groups(Program* program);

}  // namespace shflsim::isa
