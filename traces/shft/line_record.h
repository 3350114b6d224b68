// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "isa/code.h"
#include "traces/shft/bytes.h"

namespace shflsim::traces {

/// Lines of code in the program section, all of each but its address.

/// A line with its SPA 5.0 word, from which everything follows but a text of the user's own.
void write_word(const isa::CodeLine& line, ByteWriter* out);
isa::CodeLine read_word(uint32_t address, ByteReader* in);

/// A line without a word. Pipes are named in a list of their own: in a file, no number stands for
/// the order of a C++ enum.
void write_pipes(const std::vector<isa::CodeLine>& lines, ByteWriter* out);
std::vector<isa::Pipe> read_pipes(ByteReader* in);
void write_line(const isa::CodeLine& line, const std::vector<isa::Pipe>& pipes, ByteWriter* out);
isa::CodeLine read_line(uint32_t address, const std::vector<isa::Pipe>& pipes, ByteReader* in);

/// The same in files of version 1, which number 20 classes of operations.
isa::CodeLine read_line_of_version_1(uint32_t address, ByteReader* in);

/// The pipes of the lines, each once, in the order that write_pipes() gives them.
std::vector<isa::Pipe> pipes_of(const std::vector<isa::CodeLine>& lines);

}  // namespace shflsim::traces
