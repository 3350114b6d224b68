// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/config/config.h"
#include "model/core/run_result.h"
#include "report/run/metrics.h"
#include "traces/trace.h"

namespace shflsim::sweep {

class BegunTask;

/// One run to do. Many may share a trace.
struct Job {
  std::shared_ptr<const traces::Trace> trace;
  model::ConfigLayers layers;
  unsigned sms = 1;
  model::Cycle most_cycles = model::kNever;
  bool is_watched = false;  ///< for what only its course says of its SHFLs
};
/// A trace that its owner keeps until the jobs are done.
std::shared_ptr<const traces::Trace> kept_by_owner(const traces::Trace& trace);

/// How a job ended.
struct Outcome {
  enum class End : char {
    kDone = 'r',
    kInputError = 'i',
    kDeadlock = 'd',
    kBroken = 'b',  ///< any other exception, or the death of its process
  };
  End end = End::kDone;
  std::string what;         ///< message of an error
  model::RunResult result;  ///< result of kDone, without its config: effective_config(layers)
  report::WatchedFigures watched;  ///< of a job that is watched
};

/// Runs `count` jobs in `processes` processes, each of which takes the next job as it gets free.
/// `job` is called there, so a trace that only one job needs is best made in it, and a trace that
/// many jobs share before this call. `take` is called in this process with every job's index and
/// outcome, in the order of the jobs; an exception of `take` ends the remaining jobs. The outcomes
/// do not depend on `processes`; an exception of `job` is the outcome of that job.
void run_each(size_t count, unsigned processes, const std::function<Job(size_t)>& job,
              const std::function<void(size_t, Outcome)>& take);
/// A job that runs in a process of its own from now on, beside this one; it ends with this object.
class BegunJob {
 public:
  explicit BegunJob(Job job);
  BegunJob(const BegunJob&) = delete;
  BegunJob& operator=(const BegunJob&) = delete;
  ~BegunJob();
  /// Waits for its end.
  Outcome outcome();

 private:
  std::unique_ptr<BegunTask> task_;
};
/// Runs all jobs of a list.
std::vector<Outcome> run_all(const std::vector<Job>& jobs, unsigned processes);

/// Throws what the job threw (a std::runtime_error where it is broken), with `place` in front;
/// nothing if it is done.
void throw_failure(const Outcome& outcome, const std::string& place);

/// Processes to run side by side where the user does not say: one a processor.
unsigned default_processes();

}  // namespace shflsim::sweep
