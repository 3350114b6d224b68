// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "isa/code/code.h"
#include "traces/accel_sim/traceg_instruction.h"

namespace shflsim::traces {

/// The line of a traced instruction: its pipe by its operation's name, the registers that the trace
/// names (SHFL's destination put right, several of them where results are wide). Only traces of
/// version 6 have predicates and uniform registers; nothing depends on uniform registers and
/// constants.
///
/// Its text is as a listing's, "LDG.E.64 R4, R2"; "__" stands first where the trace has no
/// destination.
isa::CodeLine traced_line(isa::Family family, const TracegInstruction& instruction);

/// The instruction that the tracer of version 5 would write for a listing's text. PC and width are
/// left to the caller.
TracegInstruction traceg_instruction(const std::string& text);
/// The instruction that was read for a text of traced_line(); the same is left to the caller.
TracegInstruction imported_instruction(const std::string& text);

}  // namespace shflsim::traces
