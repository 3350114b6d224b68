// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "traces/accel_sim/traceg_instruction.h"
#include "traces/accel_sim/words.h"

namespace shflsim::traces {

/// The fields of an instruction line, in their order; each function reads one from the words. They
/// throw InputError, with line and column, for text that violates the format.

TracedRegisters read_registers(Words* words, const char* count_is, const char* each_is);
void read_opcode(Words* words, TracegInstruction* instruction);
/// A 0 or 1 after the sources of a warpgroup's product: whether it ends a commit group. Traces from
/// before Accel-Sim 2.0 lack this field.
void read_commit(Words* words, TracegInstruction* instruction);
void read_width(Words* words, TracegInstruction* instruction);
/// True if the fields of a copy by tensor map or in bulk follow: barrier, multicast, bytes, and
/// addresses in mode 3 or 4.
bool has_bulk_copy(const TracegInstruction& instruction, Words words);
/// Skips these fields.
void read_bulk_copy(Words* words);
/// Reads addresses in mode 0, 1 or 2.
void read_addresses(uint64_t mode, Words* words, TracegStep* step);
/// Reads what follows the addresses. Version 6 has two immediates, and the values of the registers,
/// which are dropped, or NoVal.
void read_line_end(bool has_values, Words* words, TracegInstruction* instruction);

}  // namespace shflsim::traces
