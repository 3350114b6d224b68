// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "isa/code/program.h"

namespace shflsim::isa {

/// A warp's USETMAXREG (PTX: setmaxnreg).
struct RegisterChange {
  uint32_t warp = 0;
  uint32_t index = 0;  ///< of the instruction in Program::code
};

/// A use of USETMAXREG that hardware does not define, or for which it waits for ever.
struct RegisterMisuse {
  RegisterChange at;
  const char* what;
};

/// What is wrong with the changes of a block of `warps` warps that has ended: warps of a group that
/// do not make the same changes, more registers given away than there are or the reverse, more
/// registers than the block has, and code after a change that uses higher registers.
std::vector<RegisterMisuse> misused_registers(const Program& program, uint32_t warps,
                                              const std::vector<RegisterChange>& changes);

/// Registers that a thread has after the instruction.
unsigned registers_behind(const Instruction& change);
/// True if the instruction requests registers; false if it releases them.
bool asks_for_registers(const Instruction& change);

}  // namespace shflsim::isa
