// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/volta/volta_instruction.h"
#include "traces/shft/bytes.h"
#include "traces/volta_code.h"

namespace shflsim::traces {

/// An instruction of Volta or later, all but its address, in the program section.
void write_volta(const isa::VoltaInstruction& instruction, ByteWriter* out);
isa::VoltaInstruction read_volta(uint32_t address, ByteReader* in);

}  // namespace shflsim::traces
