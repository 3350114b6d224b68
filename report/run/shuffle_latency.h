// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/core/run_result.h"
#include "report/run/field.h"
#include "traces/trace.h"

namespace shflsim::report {

/// SHFLs by their measured latency: the number that took 0, 1, ... cycles from issue until
/// arithmetic could use the result.
std::vector<uint64_t> shuffles_by_latency(const traces::Trace& trace,
                                          const model::RunResult& result);
/// Adds those of another run.
void add_latencies(const std::vector<uint64_t>& more, std::vector<uint64_t>* sum);
/// In cycles; empty where there was no SHFL.
Value mean_latency(const std::vector<uint64_t>& by_latency);
/// The least latency that `percent` of the SHFLs do not exceed.
Value latency_percentile(const std::vector<uint64_t>& by_latency, unsigned percent);

}  // namespace shflsim::report
