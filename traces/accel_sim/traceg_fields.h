// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "traces/accel_sim/traceg_instruction.h"
#include "traces/accel_sim/words.h"

namespace shflsim::traces {

/// The fields of an instruction line, in the line's order; each function reads one from the words.
/// They throw InputError, with line and column, for what the format does not have.

TracedRegisters read_registers(Words* words, const char* count_is, const char* each_is);
void read_opcode(Words* words, TracegInstruction* instruction);
/// 0 or 1 behind the sources of a product of a warpgroup: whether it ends a commit group. Traces
/// from before Accel-Sim 2.0 have none.
void read_commit(Words* words, TracegInstruction* instruction);
void read_width(Words* words, TracegInstruction* instruction);
/// Whether the fields of a copy by tensor map or in bulk are ahead: barrier, multicast, bytes, and
/// addresses in mode 3 or 4.
bool has_bulk_copy(const TracegInstruction& instruction, Words words);
/// Nothing of them is kept.
void read_bulk_copy(Words* words);
/// In mode 0, 1 or 2.
void read_addresses(uint64_t mode, Words* words, TracegStep* step);
/// All behind the addresses. Version 6 has two immediates there, and the values of the registers or
/// NoVal; the values are not kept.
void read_line_end(bool has_values, Words* words, TracegInstruction* instruction);

}  // namespace shflsim::traces
