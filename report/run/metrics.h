// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "report/run/columns.h"
#include "report/run/design_cost.h"

namespace shflsim::report {

/// What only watching a run says of its SHFLs (report/time/shuffle_watch.h).
struct WatchedFigures {
  std::optional<double> queue_wait;  ///< cycles from a SHFL's issue to its unit, mean
  uint64_t stalls = 0;               ///< warp-cycles in which a warp waits for a SHFL
  double path_share = 0;             ///< of the critical path, for rate and latency of SHFLs
};

const Fields<WatchedFigures>& watched_columns();

/// A run and the shuffle units that it ran on.
struct Measured {
  const Run& run;
  const DesignCost& cost;
  const WatchedFigures* watched = nullptr;  ///< where it was watched
};

/// Every figure of a whole run: its totals(), its warp states ("stall_barrier"), the energy of its
/// SHFLs, and what hardware_columns() says.
const Fields<Measured>& metrics();
/// Whether a metric needs a run that is watched, which takes longer: no sweep keeps it unasked.
bool is_watched(const std::string& metric);
/// Whether a metric follows from the config alone.
bool is_of_hardware(const std::string& metric);

}  // namespace shflsim::report
