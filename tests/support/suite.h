// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "traces/trace.h"

namespace shflsim::test {

/// The names of the files of traces/suite, without extension.
const std::vector<std::string>& suite_names();

/// The names of the code files directly in traces/, without extension.
const std::vector<std::string>& single_names();

/// The trace of one block of a suite's file; Rvalue is 7 times the thread, argument 0 a counter.
traces::Trace suite_trace(const std::string& name, unsigned warps = 1);
/// The trace of any file of shipped code; `path` is relative to the source tree.
traces::Trace shipped_trace(const std::string& path, unsigned warps);
/// The trace of a kernel of traces/`file`, four blocks of 256 threads, launched with (input,
/// output, 1024), the input all zeros.
traces::Trace kernel_trace(const std::string& file, const std::string& kernel);

}  // namespace shflsim::test
