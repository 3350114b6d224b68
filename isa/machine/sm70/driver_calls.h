// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/machine/execution.h"

namespace shflsim::isa {

/// Does in the executing lanes what a function of the driver does. As the code of ptxas 13.0 calls
/// them, arguments are in the registers from R4 on, 64-bit ones in pairs, and the result is in R4.
/// Throws LaunchError for a failed assertion.
void call_driver(Execution& execution, Program::DriverCall call);

}  // namespace shflsim::isa
