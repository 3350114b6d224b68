// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "report/run/columns.h"
#include "report/run/design_cost.h"

namespace shflsim::report {

/// Metrics of a run's SHFLs that need a watched run (report/time/shuffle_watch.h).
struct WatchedFigures {
  std::optional<double> queue_wait;  ///< mean cycles from a SHFL's issue to its unit
  uint64_t stalls = 0;               ///< warp-cycles in which a warp waits for a SHFL
  double path_share = 0;             ///< fraction of the critical path for SHFLs' rate and latency
};

const Fields<WatchedFigures>& watched_columns();

/// A run and the cost of its shuffle units.
struct Measured {
  const Run& run;
  const DesignCost& cost;
  const WatchedFigures* watched = nullptr;  ///< nullptr if the run was not watched
};

/// All metrics of a whole run: its totals(), its warp states ("stall_barrier"), the energy of its
/// SHFLs, and hardware_columns().
const Fields<Measured>& metrics();
/// True if a metric needs a watched run, which takes longer: sweeps store it only if asked to.
bool is_watched(const std::string& metric);
/// True if a metric follows from the config alone.
bool is_of_hardware(const std::string& metric);

}  // namespace shflsim::report
