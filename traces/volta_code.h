// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "traces/trace.h"

namespace shflsim::traces {

/// Appends an instruction of Volta or later to the trace's code: its timing facts to `volta`, its
/// address, control bits and text to `program`, whose register count grows with its sources.
void add_volta_instruction(const isa::VoltaInstruction& instruction, Trace* trace);

}  // namespace shflsim::traces
