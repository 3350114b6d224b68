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

/// What is timed, on what.
struct Subject {
  const traces::Trace& trace;
  const model::ConfigLayers& layers;
  unsigned sms = 1;
};

/// Keys of the machine's parameters whose values are varied: the assumed numbers that can matter to
/// cycles (not those of networks and policies that are not chosen, nor of energy), or those that
/// `wanted` names, where * stands for any letters. Throws InputError for a name without a number.
std::vector<std::string> varied_keys(const model::ConfigLayers& layers,
                                     const std::vector<std::string>& wanted);

/// Runs the trace once for each end of each of these numbers: half and double within the
/// parameter's range, 0 and 100 of a percentage. Values with which the machine cannot run have no
/// cycles. `cycles`: of the unchanged machine. `done` receives the number of finished runs and of
/// all runs.
report::Sensitivity sensitivity(
    const Subject& subject, uint64_t cycles, const std::vector<std::string>& wanted,
    unsigned processes, const std::function<void(size_t, size_t)>& done = [](size_t, size_t) {});

}  // namespace shflsim::sweep
