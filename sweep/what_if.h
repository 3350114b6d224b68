// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/core/run_result.h"
#include "report/run/verdict.h"
#include "sweep/jobs.h"
#include "sweep/sensitivity.h"

namespace shflsim::sweep {

/// A run with at most this many warp instructions tries every change of the shuffle unit; a longer
/// run tries only the first. A million warp instructions take about half a second.
constexpr uint64_t kShortRun = 150'000;

/// Changes of the shuffle unit that show whether it matters to a run: half its rate, no latency,
/// twice the hardware and, if SHFLs had port conflicts, a network without conflicts. None if the
/// run issued no SHFL. Depends only on the machine and the counts of the run.
std::vector<report::WhatIf> shuffle_what_ifs(const model::RunResult& result, uint64_t shuffles);

/// Starts the first of these changes, as predicted from the machine alone, in its own process
/// beside the run; nullptr if the code has no SHFL.
std::unique_ptr<BegunJob> begun_what_if(const Subject& subject);
/// If `begun` is the first of these what-ifs, stores its cycles there, so that it is not run again.
/// Otherwise ends it.
void take_begun(const Subject& subject, std::unique_ptr<BegunJob> begun,
                std::vector<report::WhatIf>* what_ifs);

/// Runs each what-if that has no result yet on the subject's machine with its settings, and stores
/// the cycles, which are those of `shflsim run` with `--set`.
void run_what_ifs(
    const Subject& subject, unsigned processes, std::vector<report::WhatIf>* what_ifs,
    const std::function<void(size_t, size_t)>& done = [](size_t, size_t) {});

}  // namespace shflsim::sweep
