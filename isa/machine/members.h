// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/lanes/lane_map.h"
#include "isa/machine/execution.h"

namespace shflsim::isa {

/// Checks the membermasks of lowered PTX: of the instruction, which `execution.lanes` execute, and
/// of bar.warp.sync in front of it, to which the lanes `active` have come.
///
/// The rules are those of PTX for sm_6x and below: each lane is in its membermask, and all lanes in
/// it that have not ended execute the instruction in convergence. Lanes that break them are
/// reported to the observer. PTX for sm_70 or later may have its lanes at several places. SPA 5.0
/// cannot, and would give other values: throws InputError for such code.
void check_members(const Execution& execution, LaneMask active);

/// Reports lanes in their membermask that read a lane outside it.
void check_sources(const Execution& execution, const LaneMap& map);

}  // namespace shflsim::isa
