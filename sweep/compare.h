// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "report/compare/compare.h"

namespace shflsim::sweep {

/// Runs every workload on every design, in `processes` processes, on which nothing depends but the
/// time that it takes, and each on `sms` SMs of a chip. Each ends after `most_cycles`. With
/// `is_watched`, each is watched for what only its course says of its SHFLs. Calls `done`
/// with how many of the runs are over, and of how many. Throws what model::run throws, with the
/// workload and design in front.
report::Comparison compare(
    std::vector<report::Workload> workloads, std::vector<report::Design> designs,
    unsigned processes, const std::function<void(size_t, size_t)>& done = [](size_t, size_t) {},
    model::Cycle most_cycles = model::kNever, unsigned sms = 1, bool is_watched = false);

}  // namespace shflsim::sweep
