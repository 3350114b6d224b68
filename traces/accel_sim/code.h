// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "isa/code/code.h"
#include "traces/accel_sim/traceg_instruction.h"

namespace shflsim::traces {

/// The line of code of a traced instruction. Its pipe follows from the operation's name, its
/// registers are those that the trace names; the destination of a SHFL is corrected, and wide
/// results get several registers. Only traces of version 6 have predicates and uniform registers;
/// nothing depends on uniform registers and constants.
///
/// Its text is like a listing's, "LDG.E.64 R4, R2"; it begins with "__" if the trace has no
/// destination.
isa::CodeLine traced_line(isa::Family family, const TracegInstruction& instruction);

/// The instruction that a tracer of version 5 would write for a listing's text. The caller sets PC
/// and width.
TracegInstruction traceg_instruction(const std::string& text);
/// The instruction that was read for a text of traced_line(). The caller sets PC and width.
TracegInstruction imported_instruction(const std::string& text);

}  // namespace shflsim::traces
