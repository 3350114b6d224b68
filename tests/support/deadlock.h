// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/dialects/source.h"
#include "traces/trace.h"

namespace shflsim::test {

/// Two warps of a block: the first stops at a barrier of both, the second exits without it.
inline traces::Trace barrier_that_one_misses() {
  const std::string code = "BAR.SYNC 0x1, 0x40 ?trans5\nEXIT\n";
  traces::Trace trace;
  trace.code = isa::code_of(
      isa::find_kernel(*isa::Dialects::named("manual").open({"test.sass", code}), "", "test.sass"));
  trace.threads_per_block = 2 * isa::kLanes;
  trace.warps.resize(2);
  trace.warps[1].warp = 1;
  for (uint32_t w = 0; w < 2; ++w) {
    for (uint32_t i = w; i < 2; ++i)
      trace.warps[w].steps.push_back({i, isa::kAllLanes, traces::Step::kNone});
  }
  return trace;
}

}  // namespace shflsim::test
