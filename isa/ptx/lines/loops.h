// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>

#include "isa/ptx/lines/definitions.h"
#include "isa/ptx/lines/dominators.h"

namespace shflsim::isa::ptx {

using BlockSet = std::set<int>;
/// The blocks of each natural loop, by head; a loop is entered only through its head.
using Loops = std::map<int, BlockSet>;

Loops find_loops(const Flow& flow, const DominatorTree& dominators);

}  // namespace shflsim::isa::ptx
