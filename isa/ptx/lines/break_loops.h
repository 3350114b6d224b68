// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "isa/ptx/lines/definitions.h"
#include "isa/ptx/lines/loops.h"

namespace shflsim::isa::ptx {

/// Loops that threads leave by BRK, from any place, so that the remaining threads can join within
/// the loop. Without BRK, paths of which some leave the loop meet only after it.
struct BreakLoops {
  std::map<int, int> exits;  ///< by the loop's head: the only exit block
  std::map<int, int> joins;  ///< by a choice's block: where paths that stay in the loop meet
};

/// `loops` by head; `around`: heads of the loops that contain each block; `postdominators` of the
/// whole function.
BreakLoops find_break_loops(const Code& code, const Flow& flow, const Loops& loops,
                            const std::vector<std::vector<int>>& around,
                            const DominatorTree& postdominators);

}  // namespace shflsim::isa::ptx
