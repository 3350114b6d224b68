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

/// Up to this many warp instructions, a run tries every change of the shuffle unit; a longer one
/// tries the first alone. A million warp instructions take about half a second.
constexpr uint64_t kShortRun = 150'000;

/// Changes of the shuffle unit that tell whether it matters to a run: half its rate, no latency, as
/// much hardware again, and, where SHFLs had port conflicts, a network without any. None if the
/// run issued no SHFL. Depends on the machine and the run's counts alone.
std::vector<report::WhatIf> shuffle_what_ifs(const model::RunResult& result, uint64_t shuffles);

/// The first of them, as far as the machine alone tells it; nothing if the code has no SHFL. It
/// is begun beside the run, in a process of its own.
std::unique_ptr<BegunJob> begun_what_if(const Subject& subject);
/// Writes down what came of `begun` where it is the first of these, which is not run again then.
/// Ends it otherwise.
void take_begun(const Subject& subject, std::unique_ptr<BegunJob> begun,
                std::vector<report::WhatIf>* what_ifs);

/// Runs each that has no result yet on the subject's machine with its settings, and writes down the
/// cycles, those of `shflsim run` with `--set`.
void run_what_ifs(
    const Subject& subject, unsigned processes, std::vector<report::WhatIf>* what_ifs,
    const std::function<void(size_t, size_t)>& done = [](size_t, size_t) {});

}  // namespace shflsim::sweep
