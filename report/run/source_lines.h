// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/run/columns.h"
#include "report/run/document.h"

namespace shflsim::report {

/// "lines.cu:14", of a line with its file among `files`; "" where it is not known.
std::string source_place(const isa::SourceLine& line, const std::vector<std::string>& files);

/// Source line of each instruction; empty for code without line information.
Fields<InstructionRow> source_columns();

/// The source files that the run's instructions name, with their lines, by path: those that are
/// found where the compiler had them, or beside the run's input. Only files that look like source
/// are read: the names come from the input, and a page with them may be passed on.
Json source_texts(const Run& run);

}  // namespace shflsim::report
