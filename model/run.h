// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

#include "model/config/config.h"
#include "model/core/observer.h"
#include "model/core/run_result.h"
#include "traces/trace.h"

namespace shflsim::model {

/// The model stopped making progress: says which warp waits for what, and what is in the queues and
/// units. Exit status 3.
class Deadlock : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What the units count of each instruction (RunResult::counts), in the order of reports.
const std::vector<Stat>& instruction_stats();

/// Every parameter that a config must set, in the order of reports.
std::vector<ConfigValue> effective_config(const ConfigLayers& layers);

/// Times a trace on `sms` SMs of a chip, which share its blocks and the chip's memory. Throws
/// InputError where a block does not fit the SM or the trace cannot be read, Deadlock where nothing
/// moves. May be called any number of times: each run is a simulation of its own, of which nothing
/// stays. `observer`, if any, hears of it while it happens; the result does not depend on it.
RunResult run(const traces::Trace& trace, const ConfigLayers& layers, unsigned sms = 1,
              Observer* observer = nullptr);

}  // namespace shflsim::model
