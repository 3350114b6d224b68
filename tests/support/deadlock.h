// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/code_trace.h"

namespace shflsim::test {

/// Two warps of a block: the first stops at a barrier of both, the second exits without it.
inline traces::Trace barrier_that_one_misses() {
  traces::Trace trace = trace_of("BAR.SYNC 0x1, 0x40 ?trans5\nEXIT\n", 2);
  trace.warps[1].steps.erase(trace.warps[1].steps.begin());
  return trace;
}

}  // namespace shflsim::test
