// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "model/config/config.h"
#include "report/run/sensitivity.h"
#include "traces/trace.h"

namespace shflsim::sweep {

/// What is timed, on what.
struct Subject {
  const traces::Trace& trace;
  const model::ConfigLayers& layers;
  unsigned sms = 1;
};

/// Runs the trace once for each end of each assumed number of the machine: half and double within
/// the parameter's range, 0 and 100 of a percentage. Left out are parameters that cannot matter (of
/// networks and policies that are not chosen, energy) and values with which the machine cannot run.
/// `cycles`: of the unchanged machine. `done` receives the number of finished runs and of all runs.
report::Sensitivity sensitivity(
    const Subject& subject, uint64_t cycles, unsigned processes,
    const std::function<void(size_t, size_t)>& done = [](size_t, size_t) {});

}  // namespace shflsim::sweep
