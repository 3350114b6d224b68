// SPDX-License-Identifier: Apache-2.0
#include "cli/accuracy/forked_runs.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <map>
#include <string>
#include <thread>

#include "isa/input_error.h"

namespace shflsim::cli {
namespace {

struct Child {
  size_t index;
  int result;  ///< read end of its pipe
};

[[noreturn]] void run_child(int out, size_t index, const std::function<RegionTimes(size_t)>& one) {
  int status = 1;
  try {
    const RegionTimes times = one(index);
    status = write(out, &times, sizeof times) == sizeof times ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
  }
  _exit(status);  // the parent's buffers and SystemC's end-of-process code are not this process's
}

void start(size_t index, const std::function<RegionTimes(size_t)>& one,
           std::map<pid_t, Child>* children) {
  int ends[2];
  if (pipe(ends) != 0) throw InputError("no pipe for another process");
  const pid_t pid = fork();
  if (pid < 0) throw InputError("no room for another process");
  if (pid == 0) {
    close(ends[0]);
    run_child(ends[1], index, one);
  }
  close(ends[1]);
  (*children)[pid] = {index, ends[0]};
}

/// Waits for one process; false where it failed.
bool collect(std::map<pid_t, Child>* children, std::vector<RegionTimes>* results) {
  int status = 0;
  const auto child = children->find(wait(&status));
  if (child == children->end()) return false;
  RegionTimes& times = (*results)[child->second.index];
  const bool complete = read(child->second.result, &times, sizeof times) == sizeof times;
  close(child->second.result);
  children->erase(child);
  return complete && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

std::vector<RegionTimes> forked_runs(size_t count, const std::function<RegionTimes(size_t)>& one) {
  const size_t most = std::max(1u, std::thread::hardware_concurrency());
  std::vector<RegionTimes> results(count);
  std::map<pid_t, Child> children;
  bool fine = true;
  for (size_t next = 0; next < count || !children.empty();) {
    while (fine && next < count && children.size() < most) start(next++, one, &children);
    if (!fine) next = count;
    if (!children.empty()) fine &= collect(&children, &results);
  }
  if (!fine) throw InputError("a row of the timing file cannot be run");
  return results;
}

}  // namespace shflsim::cli
