// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "report/compare/compare.h"

namespace shflsim::sweep {

/// Runs every workload on every design, each on `sms` SMs of a chip and for at most `most_cycles`.
/// The runs use `processes` processes, which only affects the time taken. With `is_watched`, also
/// observes the SHFLs of each run (report/run/metrics.h). Calls `done` with the number of finished
/// runs and of all runs. Throws what model::run throws, with workload and design before the
/// message.
report::Comparison compare(
    std::vector<report::Workload> workloads, std::vector<report::Design> designs,
    unsigned processes, const std::function<void(size_t, size_t)>& done = [](size_t, size_t) {},
    model::Cycle most_cycles = model::kNever, unsigned sms = 1, bool is_watched = false);

}  // namespace shflsim::sweep
