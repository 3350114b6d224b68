// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "traces/trace.h"

namespace shflsim::test {

/// The files of traces/suite, without their ending.
const std::vector<std::string>& suite_names();

/// One warp of one; register Rvalue holds 7 times the lane, argument 0 is a counter.
traces::Trace suite_trace(const std::string& name);

}  // namespace shflsim::test
