// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "isa/volta/volta_instruction.h"
#include "traces/accel_sim/traceg.h"

namespace shflsim::traces {

/// The timing facts of a traced instruction: its class by its operation, the registers that the
/// trace names (SHFL's destination put right, several of them where results are wide). Predicates,
/// constants and uniform registers are not in a trace, so nothing depends on them.
///
/// Its text is as a listing's, "LDG.E.64 R4, R2"; "__" stands first where the trace has no
/// destination.
isa::VoltaInstruction volta_instruction(const TracegInstruction& instruction);

/// The instruction that the tracer would write for a listing's text, or the one that was read for a
/// text of volta_instruction(). PC and width are left to the caller.
TracegInstruction traceg_instruction(const std::string& text);

}  // namespace shflsim::traces
