// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>

#include "isa/ptx/lines/definitions.h"
#include "isa/ptx/lines/dominators.h"

namespace shflsim::isa::ptx {

using BlockSet = std::set<int>;
/// By head: the blocks of each natural loop, which are entered through the head alone.
using Loops = std::map<int, BlockSet>;

Loops find_loops(const Flow& flow, const DominatorTree& dominators);

}  // namespace shflsim::isa::ptx
