// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "isa/code/program.h"

namespace shflsim::isa {

/// A line with an instruction in the manual's syntax.
struct ManualLine {
  std::string text;  ///< without comment and label, with the trailer
  Position where;    ///< position of the first character of `text`

  /// Position of the character with this index in `text`.
  Position at(size_t index) const {
    return {where.file, where.line, where.column + static_cast<unsigned>(index)};
  }
};

/// Checks for code that can be read but cannot be intended. `lines` are those of the program's
/// first instructions.

/// The first read of each symbolic register that no path can have written before.
std::vector<Program::UnwrittenRead> unwritten_reads(const Program& program,
                                                    const std::vector<ManualLine>& lines);

/// A warning for each trailer that waits for a scoreboard that no instruction sets: for example
/// `&req_1` is a mask (scoreboard 0), while `&wr1` sets scoreboard 1.
std::vector<std::string> lost_waits(const Program& program, const std::vector<ManualLine>& lines);

}  // namespace shflsim::isa
