// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "isa/code/code.h"
#include "traces/accel_sim/traceg_lines.h"

namespace shflsim::traces {

/// The line of a traced instruction: its pipe by its operation's name, the registers that the trace
/// names (SHFL's destination put right, several of them where results are wide). Predicates,
/// constants and uniform registers are not in a trace, so nothing depends on them.
///
/// Its text is as a listing's, "LDG.E.64 R4, R2"; "__" stands first where the trace has no
/// destination.
isa::CodeLine traced_line(isa::Family family, const TracegInstruction& instruction);

/// The instruction that the tracer would write for a listing's text, or the one that was read for a
/// text of traced_line(). PC and width are left to the caller.
TracegInstruction traceg_instruction(const std::string& text);

}  // namespace shflsim::traces
