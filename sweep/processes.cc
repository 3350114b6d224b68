// SPDX-License-Identifier: Apache-2.0
#include "sweep/processes.h"

#include <fmt/format.h>
#include <malloc.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "model/core/interruption.h"
#include "model/run.h"

namespace shflsim::sweep {
namespace {

using Task = std::function<std::string(size_t)>;

[[noreturn]] void fail(const char* call) {
  throw std::runtime_error(std::string(call) + ": " + std::strerror(errno));
}

/// Returns false if the other end is closed.
bool send_all(int socket, const void* data, size_t size) {
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t sent = send(socket, next, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    next += sent;
    size -= static_cast<size_t>(sent);
  }
  return true;
}

bool receive_all(int socket, void* data, size_t size) {
  char* next = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = recv(socket, next, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    next += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

/// Sends a text as its length and its bytes.
bool send_text(int socket, const std::string& text) {
  const uint64_t size = text.size();
  return send_all(socket, &size, sizeof size) && send_all(socket, text.data(), text.size());
}

bool receive_text(int socket, std::string* text) {
  uint64_t size = 0;
  if (!receive_all(socket, &size, sizeof size)) return false;
  text->resize(size);
  return receive_all(socket, text->data(), size);
}

/// Keeps freed memory in the process: the next task would fetch it again page by page.
void keep_freed_memory() {
  constexpr int kKept = 32 << 20;
  mallopt(M_TRIM_THRESHOLD, kKept);
  mallopt(M_MMAP_THRESHOLD, kKept);
}

/// The parent receives signals too and handles its processes. They do not outlive
/// it.
void leave_signals_to_the_parent() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) std::signal(number, SIG_IGN);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
}

void limit_memory(const TaskLimits& limits) {
  if (limits.memory_mib == 0) return;
  const rlim_t bytes = limits.memory_mib << 20;
  const rlimit data{bytes, bytes};
  setrlimit(RLIMIT_DATA, &data);
}

/// Does the tasks whose numbers arrive until none does. Uses _exit and noexcept: the parent's
/// buffers, SystemC's exit code and, if a task throws, the stack below are not for this process.
[[noreturn]] void work(int socket, const Task& task, const TaskLimits& limits) noexcept {
  leave_signals_to_the_parent();
  keep_freed_memory();
  limit_memory(limits);
  for (size_t number = 0; receive_all(socket, &number, sizeof number);) {
    if (!send_text(socket, task(number))) break;
  }
  _exit(0);
}

/// "exited with status 3", "was killed by signal 6"
std::string end_of(int status) {
  if (WIFSIGNALED(status)) return "was killed by signal " + std::to_string(WTERMSIG(status));
  return "exited with status " + std::to_string(WEXITSTATUS(status));
}

/// The worker processes and their current tasks.
class Pool {
 public:
  Pool(size_t count, const Task& task, const TaskLimits& limits)
      : count_(count), task_(task), limits_(limits) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    for (const Worker& worker : workers_) {
      kill(worker.id, SIGKILL);
      end(worker);
    }
  }

  /// Starts a process with the next task, if there is one.
  void start() {
    if (next_ == count_) return;
    std::array<int, 2> ends{};
    std::fflush(nullptr);  // otherwise both processes would write what is buffered
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) fail("socketpair");
    const pid_t id = fork();
    if (id < 0) fail("fork");
    if (id == 0) {
      close(ends[0]);
      for (const Worker& other : workers_) close(other.socket);  // else their reads never end
      work(ends[1], task_, limits_);
    }
    close(ends[1]);
    workers_.push_back({id, ends[0], 0});
    hand_out(&workers_.back());
  }

  bool is_empty() const { return workers_.empty(); }

  /// Waits a while for answers, and gives the workers that sent them the next tasks.
  std::map<size_t, Answer> collect() {
    std::vector<pollfd> waiting;
    for (const Worker& worker : workers_) waiting.push_back({worker.socket, POLLIN, 0});
    std::map<size_t, Answer> answers;
    if (poll(waiting.data(), waiting.size(), patience()) < 0) {
      if (errno != EINTR) fail("poll");
      return answers;
    }
    for (size_t i = waiting.size(); i-- > 0;) {
      const bool is_late = waiting[i].revents == 0 && Clock::now() >= workers_[i].due;
      if (waiting[i].revents == 0 && !is_late) continue;
      const size_t task = workers_[i].task;
      answers[task] = is_late ? ended(i) : answer_of(i);
    }
    return answers;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int kPoll = 1000;  ///< milliseconds after which signals are checked again

  struct Worker {
    pid_t id = 0;
    int socket = 0;
    size_t task = 0;
    Clock::time_point due = {};  ///< deadline of its task
  };

  /// Milliseconds until a worker may exceed its time.
  int patience() const {
    Clock::time_point next = Clock::now() + std::chrono::milliseconds(kPoll);
    for (const Worker& worker : workers_) next = std::min(next, worker.due);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now());
    return static_cast<int>(std::max<int64_t>(left.count(), 0));
  }

  /// If the process has died meanwhile, reading its answer will show that.
  void hand_out(Worker* worker) {
    worker->task = next_++;
    worker->due = Clock::time_point::max();
    if (limits_.seconds != 0) {
      const std::chrono::duration<double> time(limits_.seconds);
      worker->due = Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
    }
    send_all(worker->socket, &worker->task, sizeof worker->task);
  }

  Answer answer_of(size_t index) {
    Answer answer;
    if (receive_text(workers_[index].socket, &answer.text)) {
      if (next_ != count_) {
        hand_out(&workers_[index]);
      } else {
        dismiss(index);
      }
      return answer;
    }
    answer = {Answer::End::kDied, end_of(dismiss(index))};
    start();
    return answer;
  }

  /// Ends a worker that exceeded its time, and returns its answer.
  Answer ended(size_t index) {
    kill(workers_[index].id, SIGKILL);
    dismiss(index);
    start();
    return {Answer::End::kLate, fmt::format("took longer than {} s", limits_.seconds)};
  }

  /// Closes the worker's socket, which ends it, and returns the exit status of the process.
  int dismiss(size_t index) {
    const Worker worker = workers_[index];
    workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(index));
    return end(worker);
  }

  static int end(const Worker& worker) {
    int status = 0;
    close(worker.socket);
    while (waitpid(worker.id, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
  }

  const size_t count_;
  const Task& task_;
  const TaskLimits limits_;
  size_t next_ = 0;  ///< first task that no worker has
  std::vector<Worker> workers_;
};

/// Does what a received signal asks for.
void heed_signals(size_t done, size_t count) {
  model::Interruption& asked = model::interruption;
  if (asked.wants_status.exchange(false))
    std::cerr << done << " of " << count << " runs are done\n";
  if (asked.stop != 0)
    throw model::Interrupted("stopped with " + std::to_string(done) + " of " +
                                 std::to_string(count) + " runs done; nothing is reported",
                             asked.stop);
}

}  // namespace

void run_in_processes(size_t count, unsigned processes, const Task& task, const Take& take,
                      const TaskLimits& limits) {
  const model::Heeding heeding;
  Pool pool(count, task, limits);
  for (size_t i = 0; i < std::min<size_t>(processes, count); ++i) pool.start();
  for (size_t done = 0; done < count;) {
    heed_signals(done, count);
    for (auto& [number, answer] : pool.collect()) {
      take(number, std::move(answer));
      ++done;
    }
  }
}

BegunTask::BegunTask(Task task) {
  const auto kept = std::make_shared<const Task>(std::move(task));
  const auto pool = std::make_shared<Pool>(1, *kept, TaskLimits{});
  pool->start();
  answer_ = [kept, pool] {
    const model::Heeding heeding;
    for (;;) {
      heed_signals(0, 1);
      std::map<size_t, Answer> answers = pool->collect();
      if (!answers.empty()) return std::move(answers.begin()->second);
    }
  };
}

Take in_order(Take take) {
  const auto early = std::make_shared<std::map<size_t, Answer>>();  // behind a running task
  return [early, take = std::move(take), next = size_t{0}](size_t number, Answer answer) mutable {
    early->emplace(number, std::move(answer));
    for (auto first = early->begin(); first != early->end() && first->first == next; ++next) {
      take(next, std::move(first->second));
      first = early->erase(first);
    }
  };
}

}  // namespace shflsim::sweep
