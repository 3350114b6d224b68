// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/machine/warp.h"

namespace shflsim::isa {

/// Lanes for which a 5-bit CC test (isa/codec/modifiers.inc, cct) holds; 15 holds always, 0 never.
LaneMask condition_holds(uint8_t test, const ConditionCode& cc);

}  // namespace shflsim::isa
