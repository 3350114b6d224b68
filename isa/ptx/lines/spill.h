// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "isa/ptx/lines/lines.h"

namespace shflsim::isa::ptx {

/// How long a spilled register's value stays in a register.
enum class Reload : uint8_t {
  kEachUse,    ///< it is loaded for each line that reads it
  kUntilCall,  ///< it stays in a register until the next call or the block's end
};

/// Keeps these registers in the frame, and predicates in registers: behind each write they are
/// stored, and in front of reads loaded.
void spill(Code* code, const std::set<int>& ids, Reload reload);

}  // namespace shflsim::isa::ptx
