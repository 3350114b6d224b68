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

/// A run to do. Several jobs may share a trace.
struct Job {
  std::shared_ptr<const traces::Trace> trace;
  model::ConfigLayers layers;
  unsigned sms = 1;
  model::Cycle most_cycles = model::kNever;
  bool is_watched = false;  ///< also observes its SHFLs (report/run/metrics.h)
};
/// A pointer to a trace whose owner keeps it until the jobs are done.
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
  report::WatchedFigures watched;  ///< set for a watched job
};

/// Runs `count` jobs in `processes` processes, each of which takes the next job when it is free.
/// `job` is called in these processes: make a trace that only one job needs in `job`, and a trace
/// that several jobs share before this call. `take` is called in this process with the index and
/// outcome of each job, in the order of the jobs; an exception of `take` ends the remaining jobs.
/// Outcomes do not depend on `processes`; an exception of `job` is the outcome of that job.
void run_each(size_t count, unsigned processes, const std::function<Job(size_t)>& job,
              const std::function<void(size_t, Outcome)>& take);
/// A job that starts at once in its own process, beside this one. The destructor ends it.
class BegunJob {
 public:
  explicit BegunJob(Job job);
  BegunJob(const BegunJob&) = delete;
  BegunJob& operator=(const BegunJob&) = delete;
  ~BegunJob();
  /// Waits for the end of the job.
  Outcome outcome();

 private:
  std::unique_ptr<BegunTask> task_;
};
/// Runs all jobs of a list.
std::vector<Outcome> run_all(const std::vector<Job>& jobs, unsigned processes);

/// Throws the job's error, with `place` in front (std::runtime_error if it is broken). Does nothing
/// if the job is done.
void throw_failure(const Outcome& outcome, const std::string& place);

/// The default number of processes: one per processor.
unsigned default_processes();

}  // namespace shflsim::sweep
