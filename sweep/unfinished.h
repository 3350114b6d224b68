// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sweep/plan.h"

namespace shflsim::sweep {

/// The shards, of `count` beside `database`, that are to be run again: those whose results file is
/// not there, cannot be read, is of another plan, or lacks points; and those with points that ran
/// out of time or memory or whose process ended, which may do better elsewhere. With `retries`
/// those with any point that is not done.
std::vector<size_t> unfinished_shards(const PlannedSweep& whole, const std::string& database,
                                      size_t count, bool retries);

}  // namespace shflsim::sweep
