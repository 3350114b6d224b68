// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sweep/plan.h"

namespace shflsim::sweep {

/// The shards, of `count` beside `database`, that must run again: shards whose results file is
/// missing, unreadable, of another plan or incomplete, and shards with points that ran out of time
/// or memory or whose process died, which may succeed elsewhere. With `retries`: all shards with a
/// point that is not done.
std::vector<size_t> unfinished_shards(const PlannedSweep& whole, const std::string& database,
                                      size_t count, bool retries);

}  // namespace shflsim::sweep
