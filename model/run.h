// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include "model/config/config.h"
#include "model/core/observer.h"
#include "model/core/run_result.h"
#include "traces/trace.h"

namespace shflsim::model {

/// The model stopped making progress. The message names what each warp waits for, and what is in
/// the queues and units. Exit status 3.
class Deadlock : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The stats of the units for instructions (RunResult::counts), in the order of reports.
const std::vector<Stat>& instruction_stats();

/// Every parameter with its value, in the order of reports.
std::vector<ConfigValue> effective_config(const ConfigLayers& layers);
/// All parameters, without destinations: their ranges, units and words.
std::vector<Parameter> parameters();
/// True if the layers are a machine; false if they leave parameters open, as an overlay does.
bool is_whole(const ConfigLayers& layers);

/// Runs were asked to stop, with nothing left to report: what was done until then, and the signal.
class Interrupted : public std::runtime_error {
 public:
  Interrupted(const std::string& what, int number) : std::runtime_error(what), signal(number) {}
  const int signal;
};

/// Times a trace on `sms` SMs of a chip, which share its blocks and the chip's memory. Throws
/// InputError if a block does not fit on the SM or the trace cannot be read, and Deadlock if
/// nothing advances. May be called any number of times: each run is a separate simulation without
/// remaining state. `observer`, if any, receives the run's events; the result does not depend on
/// it. The run ends early after `most_cycles` or when a signal asks for it
/// (model/core/interruption.h); the result says so. `threads`: most threads that simulate the SMs,
/// where no cluster and no observer of instructions makes them run cycle by cycle; the result does
/// not depend on it.
RunResult run(const traces::Trace& trace, const ConfigLayers& layers, unsigned sms = 1,
              Observer* observer = nullptr, Cycle most_cycles = kNever, unsigned threads = 1);

}  // namespace shflsim::model
