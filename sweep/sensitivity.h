// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/config/config.h"
#include "report/run/sensitivity.h"
#include "traces/trace.h"

namespace shflsim::sweep {

/// A trace and the machine that times it.
struct Subject {
  const traces::Trace& trace;
  const model::ConfigLayers& layers;
  unsigned sms = 1;
};

/// Keys of the parameters to vary: the assumed numbers that can affect cycles (without those of
/// energy and of networks and policies that are not chosen), or the keys that `wanted` names, where
/// * matches any letters. Throws InputError for a name that matches no number.
std::vector<std::string> varied_keys(const model::ConfigLayers& layers,
                                     const std::vector<std::string>& wanted);

/// Runs the trace twice for each of these numbers: with half and double the value within the
/// parameter's range, or with 0 and 100 for a percentage. A value with which the machine cannot run
/// has no cycles. `cycles`: cycles of the unchanged machine. `done` receives the number of finished
/// runs and of all runs.
report::Sensitivity sensitivity(
    const Subject& subject, uint64_t cycles, const std::vector<std::string>& wanted,
    unsigned processes, const std::function<void(size_t, size_t)>& done = [](size_t, size_t) {});

}  // namespace shflsim::sweep
