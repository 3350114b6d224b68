// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "traces/trace.h"

namespace shflsim::test {

/// The files of traces/suite, without their ending.
const std::vector<std::string>& suite_names();

/// The files of code directly under traces/, without their ending.
const std::vector<std::string>& single_names();

/// A block of one of the suite; register Rvalue holds 7 times the thread, argument 0 is a counter.
traces::Trace suite_trace(const std::string& name, unsigned warps = 1);
/// The trace of any file of shipped code, by its path from the top.
traces::Trace shipped_trace(const std::string& path, unsigned warps);

}  // namespace shflsim::test
