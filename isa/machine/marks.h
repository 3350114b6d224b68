// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/code/footprint.h"
#include "isa/machine/prepare.h"

namespace shflsim::isa {

/// Carries marks from an instruction's sources to its results, after it has run, and reports
/// branches and stores that depend on an undefined predicate. `active`: lanes that ran before the
/// instruction. To be called only while the warp has marks.
void carry_marks(const Prepared& prepared, const Footprint& footprint, Execution& execution,
                 LaneMask active);

}  // namespace shflsim::isa
