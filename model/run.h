// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

#include "model/config/config.h"
#include "model/run_result.h"
#include "traces/trace.h"

namespace shflsim::model {

/// The model stopped making progress: says which warp waits for what. Exit status 3.
class Deadlock : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Every parameter that a config must set, in the order of reports.
std::vector<ConfigValue> effective_config(const ConfigLayers& layers);

/// Times a trace on `sms` SMs of a chip, which share its blocks and the chip's memory. Throws
/// InputError where a block does not fit the SM, Deadlock where nothing moves. The SystemC kernel
/// elaborates once a process, so a process may call it once.
RunResult run(const traces::Trace& trace, const ConfigLayers& layers, unsigned sms = 1);

}  // namespace shflsim::model
