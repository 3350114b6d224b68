// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "isa/code/code.h"
#include "traces/shft/bytes.h"

namespace shflsim::traces {

/// Lines of code in the program section, all of each but its address.

/// A line with its word, from which everything follows but a text of the user's own.
void write_word(isa::Arch arch, const isa::CodeLine& line, ByteWriter* out);
isa::CodeLine read_word(isa::Arch arch, uint32_t address, ByteReader* in);

/// A line without a word. Pipes are named in a list of their own: in a file, no number stands for
/// the order of a C++ enum.
void write_pipes(const std::vector<isa::CodeLine>& lines, ByteWriter* out);
std::vector<isa::Pipe> read_pipes(ByteReader* in);
void write_line(const isa::CodeLine& line, const std::vector<isa::Pipe>& pipes, ByteWriter* out);
isa::CodeLine read_line(isa::Family family, uint32_t address, const std::vector<isa::Pipe>& pipes,
                        ByteReader* in);

/// The pipes of the lines, each once, in the order that write_pipes() gives them.
std::vector<isa::Pipe> pipes_of(const std::vector<isa::CodeLine>& lines);

}  // namespace shflsim::traces
