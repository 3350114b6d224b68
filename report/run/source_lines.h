// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/run/columns.h"
#include "report/run/document.h"

namespace shflsim::report {

/// "lines.cu:14" for a line whose file is one of `files`; "" if it is unknown.
std::string source_place(const isa::SourceLine& line, const std::vector<std::string>& files);

/// The source line of each instruction; empty for code without line information.
Fields<InstructionRow> source_columns();

/// The source files of the run's instructions, with their lines, by path: those found at the
/// compiler's path or beside the run's input. Only files that look like source are read, because
/// the names come from the input and a page with the texts may be passed on.
Json source_texts(const Run& run);

}  // namespace shflsim::report
