// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/core/run_result.h"
#include "report/run/field.h"
#include "traces/trace.h"

namespace shflsim::report {

/// SHFLs by latency: element n is the number of SHFLs whose results arithmetic could use n cycles
/// after their issue.
std::vector<uint64_t> shuffles_by_latency(const traces::Trace& trace,
                                          const model::RunResult& result);
/// Adds the counts of another run.
void add_latencies(const std::vector<uint64_t>& more, std::vector<uint64_t>* sum);
/// Mean latency in cycles; empty if there was no SHFL.
Value mean_latency(const std::vector<uint64_t>& by_latency);
/// The least latency that `percent` of the SHFLs do not exceed.
Value latency_percentile(const std::vector<uint64_t>& by_latency, unsigned percent);

}  // namespace shflsim::report
