// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "isa/ptx/lines/lines.h"

namespace shflsim::isa::ptx {

/// How long a spilled register's value stays in a register.
enum class Reload : uint8_t {
  kEachUse,    ///< the value is loaded for each line that reads it
  kUntilCall,  ///< the value stays in a register until the next call or the block's end
};

/// Spills these registers to the frame, and predicates to registers: they are stored after each
/// write, and loaded before reads.
void spill(Code* code, const std::set<int>& ids, Reload reload);

}  // namespace shflsim::isa::ptx
