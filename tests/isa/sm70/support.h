// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "isa/code/program.h"
#include "isa/codec/arch.h"

namespace shflsim::isa {

/// Control bits that are safe next to any instruction: the longest stall, a wait for every
/// scoreboard, SB0 for a result that needs one and SB1 for sources that do.
Control careful_control(const Instruction& instruction);
/// Sets the control bits of instruction and word.
void set_control(const Control& control, Instruction* instruction);

/// A program of lines of assembly of sm_70 or later; "name:" alone on a line is a label. A line may
/// end in a trailer of control bits ("&req={0} &rd=1 &wr=0 ?trans2"), and without it has
/// careful_control. EXIT is appended.
Program assemble_sm70(Arch arch, const std::vector<std::string>& lines);

}  // namespace shflsim::isa
