// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "isa/code/program.h"

namespace shflsim::isa {

/// An instruction of the manual's syntax as it stands in its file.
struct ManualLine {
  std::string text;  ///< comment and label cut off, trailer included
  Position where;    ///< position of the first character of `text`

  /// Where the character of that index stands.
  Position at(size_t index) const {
    return {where.file, where.line, where.column + static_cast<unsigned>(index)};
  }
};

/// Checks for code that can be read but cannot be intended. `lines` are those of the program's
/// first instructions.

/// The first read of each symbolic register that no path has written by then.
std::vector<Program::UnwrittenRead> unwritten_reads(const Program& program,
                                                    const std::vector<ManualLine>& lines);

/// A line for each trailer that waits for a scoreboard that nothing sets, such as `&req_1` (a mask:
/// scoreboard 0) beside `&wr1` (scoreboard 1).
std::vector<std::string> lost_waits(const Program& program, const std::vector<ManualLine>& lines);

}  // namespace shflsim::isa
