// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace shflsim::cli {

/// What a model run is asked for here, in cycles.
struct RegionTimes {
  double span = 0;         ///< first clock read of any warp to the last of any
  double warp_median = 0;  ///< median over the warps of their time between their clock reads
};

/// Calls `one` for 0 .. count-1, each in a process of its own, as many at a time as there are
/// processors: SystemC elaborates once a process. Results are in the order of the calls. Throws
/// InputError where a process fails.
std::vector<RegionTimes> forked_runs(size_t count, const std::function<RegionTimes(size_t)>& one);

}  // namespace shflsim::cli
