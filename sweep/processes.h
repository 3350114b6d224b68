// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace shflsim::sweep {

/// The answer to a task.
struct Answer {
  enum class End : char {
    kAnswered,
    kDied,  ///< its process ended without an answer
    kLate,  ///< its process exceeded the time limit and was killed
  };
  End end = End::kAnswered;
  std::string text;  ///< the task's result, or how the process ended: "was killed by signal 6"
};
using Take = std::function<void(size_t, Answer)>;

/// Limits of a task; 0 means none.
struct TaskLimits {
  double seconds = 0;
  uint64_t memory_mib = 0;  ///< limit of the process's data; above it std::bad_alloc
};

/// Calls `task` with 0 .. count-1 in `processes` copies of this process; each does one task after
/// the other and takes the next one when it is free. `take` is called in this process with the
/// number and answer of each task, as they arrive.
///
/// If a process ends, its current task is lost and another process takes its place. An exception of
/// `task` ends its process. An exception of `take` ends all and is thrown here. Throws
/// std::runtime_error if the system has no more processes or sockets. If a signal asks to stop,
/// ends all and throws model::Interrupted, which says how many tasks are done.
void run_in_processes(size_t count, unsigned processes,
                      const std::function<std::string(size_t)>& task, const Take& take,
                      const TaskLimits& limits = {});

/// A task in its own process, which starts at once and runs beside this one. The destructor ends
/// it. Throws as run_in_processes() does.
class BegunTask {
 public:
  explicit BegunTask(std::function<std::string(size_t)> task);
  BegunTask(const BegunTask&) = delete;
  BegunTask& operator=(const BegunTask&) = delete;
  ~BegunTask() = default;
  /// Waits for the end of the task. Call it once.
  Answer answer() { return answer_(); }

 private:
  std::function<Answer()> answer_;  ///< owns the process
};

/// Returns a function that calls `take` in the order of the tasks, and holds early answers back.
Take in_order(Take take);

}  // namespace shflsim::sweep
