// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "isa/codec/arch.h"

namespace shflsim::traces {

/// The binary version under which Accel-Sim (October 2024) looks up the opcodes of an architecture:
/// it has tables for 61, 70, 75, 80 and 86 only.
unsigned accel_sim_version(isa::Arch arch);

/// The opcode in Accel-Sim's tables. If they lack the operation, the nearest operation of the same
/// unit, with the same modifiers.
std::string accel_sim_opcode(isa::Arch arch, const std::string& opcode);

}  // namespace shflsim::traces
