// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace shflsim::sweep {

/// What came back of a task.
struct Answer {
  enum class End : char {
    kAnswered,
    kDied,  ///< its process ended without an answer
    kLate,  ///< its process was ended after the seconds that a task has
  };
  End end = End::kAnswered;
  std::string text;  ///< what the task returned, or how the process ended: "was killed by signal 6"
};
using Take = std::function<void(size_t, Answer)>;

/// What a task may take; 0: any.
struct TaskLimits {
  double seconds = 0;
  uint64_t memory_mib = 0;  ///< limit of the process' data; beyond it, std::bad_alloc
};

/// Calls `task` with 0 .. count-1, in `processes` processes that are copies of this one: each does
/// one task after the other and takes the next as it gets free. `take` is called in this process,
/// with every task's number and answer, as they come.
///
/// A process that ends costs the task that it was at, and another takes its place. What `task`
/// throws ends its process. What `take` throws ends them all, and is thrown here. Throws
/// std::runtime_error where the system has no more processes or sockets, and model::Interrupted
/// where a signal asks to stop: that ends them all, and says how many tasks are done.
void run_in_processes(size_t count, unsigned processes,
                      const std::function<std::string(size_t)>& task, const Take& take,
                      const TaskLimits& limits = {});

/// A task in a process of its own, which begins at once and works beside this one. It ends with
/// this object at the latest. Throws as run_in_processes() does.
class BegunTask {
 public:
  explicit BegunTask(std::function<std::string(size_t)> task);
  BegunTask(const BegunTask&) = delete;
  BegunTask& operator=(const BegunTask&) = delete;
  ~BegunTask() = default;
  /// Waits for its end; to be called once.
  Answer answer() { return answer_(); }

 private:
  std::function<Answer()> answer_;  ///< has the process
};

/// Calls `take` in the order of the tasks, holding back what comes before its turn.
Take in_order(Take take);

}  // namespace shflsim::sweep
