// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/core/run_result.h"
#include "traces/trace.h"

namespace shflsim::test {

/// Two warps that run S2R, SHFL, FADD, STS and EXIT; a third program line, a second SHFL, is never
/// reached. The SHFL stalls for its scoreboard, reads undefined lanes and the STS stores them.
traces::Trace sample_trace();
/// A possible result of the model: 25 cycles, 50 warp-cycles, with consistent sums.
model::RunResult sample_result();

}  // namespace shflsim::test
