// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "isa/codec/arch.h"

namespace shflsim::isa {

/// What an instruction is that has no form in the table of `arch`, if its opcode is known: "X, what
/// it does". "" otherwise. `opcode`: the word's lowest 12 bits, of which the upper three say where
/// the operands are.
std::string unmodelled(Arch arch, unsigned opcode);

}  // namespace shflsim::isa
