// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "isa/code/code.h"
#include "traces/shft/bytes.h"

namespace shflsim::traces {

/// Lines of code in the program section, without their addresses.

/// A line with its instruction word, from which everything follows except a text of the user's.
void write_word(isa::Arch arch, const isa::CodeLine& line, ByteWriter* out);
isa::CodeLine read_word(isa::Arch arch, uint32_t address, ByteReader* in);

/// A line without a word. Pipes are named in a separate list, so that no number in a file depends
/// on the order of a C++ enum.
void write_pipes(const std::vector<isa::CodeLine>& lines, ByteWriter* out);
std::vector<isa::Pipe> read_pipes(ByteReader* in);
void write_line(const isa::CodeLine& line, const std::vector<isa::Pipe>& pipes, ByteWriter* out);
isa::CodeLine read_line(isa::Family family, uint32_t address, const std::vector<isa::Pipe>& pipes,
                        ByteReader* in);

/// The distinct pipes of the lines, in the order of write_pipes().
std::vector<isa::Pipe> pipes_of(const std::vector<isa::CodeLine>& lines);

}  // namespace shflsim::traces
