// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

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
/// The parameters themselves, without values to write to: their ranges, units and words.
std::vector<Parameter> parameters();
/// True if the layers are a machine, false if they leave parameters open: an overlay.
bool is_whole(const ConfigLayers& layers);

/// Runs were asked to stop and nothing is left to report. What was done until then; `signal` asked.
class Interrupted : public std::runtime_error {
 public:
  Interrupted(const std::string& what, int number) : std::runtime_error(what), signal(number) {}
  const int signal;
};

/// Times a trace on `sms` SMs of a chip, which share its blocks and the chip's memory. Throws
/// InputError where a block does not fit the SM or the trace cannot be read, Deadlock where nothing
/// moves. May be called any number of times: each run is a separate simulation that leaves no
/// state. `observer`, if any, receives the run's events; the result does not depend on it. After
/// `most_cycles`, or where a signal asks for it (model/core/interruption.h), the run ends early,
/// and its result says so.
RunResult run(const traces::Trace& trace, const ConfigLayers& layers, unsigned sms = 1,
              Observer* observer = nullptr, Cycle most_cycles = kNever);

}  // namespace shflsim::model
