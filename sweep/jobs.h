// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/config/config.h"
#include "model/run_result.h"
#include "traces/trace.h"

namespace shflsim::sweep {

/// One run to do. Many may share a trace.
struct Job {
  const traces::Trace* trace;  ///< not null; stays until the jobs are done
  model::ConfigLayers layers;
  unsigned sms = 1;
};

/// How a job ended.
struct Outcome {
  enum class End : char {
    kDone = 'r',
    kInputError = 'i',  ///< what model::run threw...
    kDeadlock = 'd',
    kBroken = 'b',  ///< any other exception, or the death of its process
  };
  End end = End::kDone;
  std::string what;         ///< of an error
  model::RunResult result;  ///< if done; without its config, which effective_config(layers) gives
};

/// Does the jobs in `processes` processes, each of which takes the next job as it gets free, and
/// calls `take` in this process with every job's index and outcome, in the order of the jobs. The
/// outcomes do not depend on `processes`. What `take` throws ends the jobs that are left.
void run_each(const std::vector<Job>& jobs, unsigned processes,
              const std::function<void(size_t, Outcome)>& take);
/// The same, all at once.
std::vector<Outcome> run_all(const std::vector<Job>& jobs, unsigned processes);

/// Throws what the job threw (a std::runtime_error where it is broken), with `place` in front;
/// nothing where it is done.
void throw_failure(const Outcome& outcome, const std::string& place);

/// Processes to run side by side where the user does not say: one a processor.
unsigned default_processes();

}  // namespace shflsim::sweep
