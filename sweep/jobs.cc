// SPDX-License-Identifier: Apache-2.0
#include "sweep/jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "isa/base/input_error.h"
#include "model/run.h"
#include "report/time/shuffle_watch.h"
#include "sweep/processes.h"
#include "sweep/result_bytes.h"

namespace shflsim::sweep {
namespace {

using End = Outcome::End;

std::string text_of(End end, const std::string& rest) { return static_cast<char>(end) + rest; }

/// The figures in one line with all digits; "-" for none.
std::string watched_text(const report::WatchedFigures& watched) {
  const std::string wait = watched.queue_wait ? fmt::format("{}", *watched.queue_wait) : "-";
  return fmt::format("{} {} {}\n", wait, watched.stalls, watched.path_share);
}

report::WatchedFigures watched_of(const std::string& line) {
  report::WatchedFigures watched;
  std::istringstream words(line);
  std::string wait;
  words >> wait >> watched.stalls >> watched.path_share;
  if (wait != "-") watched.queue_wait = std::stod(wait);
  return watched;
}

/// Runs a job and returns its outcome as a text: how it ended, then the result or the error.
std::string run_one(const std::function<Job(size_t)>& job_of, size_t number) {
  try {
    const Job job = job_of(number);
    report::ShuffleWatch watch;
    model::RunResult result =
        model::run(*job.trace, job.layers, job.sms, job.is_watched ? watch.observer() : nullptr,
                   job.most_cycles);
    report::WatchedFigures watched;
    if (job.is_watched) watched = watch.figures({*job.trace, result});
    result.config.clear();
    return text_of(End::kDone, watched_text(watched) + sweep::bytes_of(result));
  } catch (const InputError& error) {
    return text_of(End::kInputError, error.what());
  } catch (const model::Deadlock& error) {
    return text_of(End::kDeadlock, error.what());
  } catch (const std::bad_alloc&) {
    return text_of(End::kInputError, "out of memory; expected fewer --jobs or a larger limit");
  } catch (const std::exception& error) {
    return text_of(End::kBroken, error.what());
  }
}

Outcome outcome_of(const Answer& answer) {
  Outcome outcome;
  if (answer.end != Answer::End::kAnswered) {
    outcome.end = End::kBroken;
    outcome.what = "its process " + answer.text;
    return outcome;
  }
  outcome.end = static_cast<End>(answer.text.front());
  const std::string rest = answer.text.substr(1);
  if (outcome.end == End::kDone) {
    const size_t end = rest.find('\n');
    outcome.watched = watched_of(rest.substr(0, end));
    outcome.result = result_of(rest.substr(end + 1));
  } else {
    outcome.what = rest;
  }
  return outcome;
}

/// The faults of an InputError's text, which has a line for each, with `place` in front.
std::vector<Fault> faults_at(const std::string& place, const std::string& lines) {
  std::vector<Fault> faults;
  std::istringstream text(lines);
  for (std::string line; std::getline(text, line);) faults.push_back({{}, place + line});
  return faults;
}

}  // namespace

std::shared_ptr<const traces::Trace> kept_by_owner(const traces::Trace& trace) {
  return {std::shared_ptr<void>(), &trace};
}

void run_each(size_t count, unsigned processes, const std::function<Job(size_t)>& job,
              const std::function<void(size_t, Outcome)>& take) {
  run_in_processes(
      count, processes, [&job](size_t number) { return run_one(job, number); },
      in_order([&take](size_t number, const Answer& answer) { take(number, outcome_of(answer)); }));
}

BegunJob::BegunJob(Job job)
    : task_(std::make_unique<BegunTask>([job = std::move(job)](size_t /*number*/) {
        return run_one([&job](size_t /*number*/) { return job; }, 0);
      })) {}
BegunJob::~BegunJob() = default;

Outcome BegunJob::outcome() { return outcome_of(task_->answer()); }

std::vector<Outcome> run_all(const std::vector<Job>& jobs, unsigned processes) {
  std::vector<Outcome> outcomes;
  run_each(
      jobs.size(), processes, [&jobs](size_t number) { return jobs[number]; },
      [&outcomes](size_t, Outcome outcome) { outcomes.push_back(std::move(outcome)); });
  return outcomes;
}

void throw_failure(const Outcome& outcome, const std::string& place) {
  switch (outcome.end) {
    case End::kDone: return;
    case End::kInputError: throw InputError(faults_at(place, outcome.what), 0);
    case End::kDeadlock: throw model::Deadlock(place + outcome.what);
    case End::kBroken: throw std::runtime_error(place + outcome.what);
  }
}

unsigned default_processes() { return std::max(1u, std::thread::hardware_concurrency()); }

}  // namespace shflsim::sweep
