// SPDX-License-Identifier: Apache-2.0
#include "report/compare_points.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <stdexcept>

#include "isa/input_error.h"
#include "model/run.h"

namespace shflsim::report {
namespace {

// What a process sends back starts with one of these letters.
constexpr char kResult = 'r';
constexpr char kInputError = 'i';
constexpr char kDeadlock = 'd';

struct Process {
  pid_t id = 0;
  int pipe = 0;  ///< its answer
};

std::string answer_of(const std::function<std::string()>& task) {
  try {
    return kResult + task();
  } catch (const InputError& error) {
    return std::string(1, kInputError) + error.what();
  } catch (const model::Deadlock& error) {
    return std::string(1, kDeadlock) + error.what();
  }
}

void send(int pipe, const std::string& text) {
  for (size_t sent = 0; sent < text.size();) {
    const ssize_t count = write(pipe, text.data() + sent, text.size() - sent);
    if (count < 0) _exit(1);
    sent += static_cast<size_t>(count);
  }
}

Process started(const std::function<std::string()>& task) {
  std::array<int, 2> ends{};
  std::fflush(nullptr);  // what is buffered here would be written by both processes
  if (pipe(ends.data()) != 0) throw std::runtime_error(std::string("pipe: ") + strerror(errno));
  const pid_t id = fork();
  if (id < 0) throw std::runtime_error(std::string("fork: ") + strerror(errno));
  if (id == 0) {
    close(ends[0]);
    send(ends[1], answer_of(task));
    _exit(0);
  }
  close(ends[1]);
  return {id, ends[0]};
}

std::string finished(const Process& process) {
  std::string answer;
  std::array<char, 65536> buffer{};
  ssize_t count = 0;
  while ((count = read(process.pipe, buffer.data(), buffer.size())) > 0) {
    answer.append(buffer.data(), static_cast<size_t>(count));
  }
  close(process.pipe);
  int status = 0;
  waitpid(process.id, &status, 0);
  if (status != 0 || answer.empty()) {
    throw std::runtime_error("a run ended without a result, status " + std::to_string(status));
  }
  return answer;
}

std::string result_of(const std::string& answer) {
  const std::string text = answer.substr(1);
  if (answer[0] == kInputError) throw InputError(text);
  if (answer[0] == kDeadlock) throw model::Deadlock(text);
  return text;
}

}  // namespace

std::vector<std::string> run_in_processes(const std::vector<std::function<std::string()>>& tasks,
                                          unsigned jobs) {
  std::deque<Process> running;
  std::vector<std::string> answers;
  for (size_t next = 0; answers.size() < tasks.size();) {
    while (next < tasks.size() && running.size() < jobs) running.push_back(started(tasks[next++]));
    answers.push_back(finished(running.front()));
    running.pop_front();
  }
  std::vector<std::string> results;
  for (const std::string& answer : answers) results.push_back(result_of(answer));
  return results;
}

}  // namespace shflsim::report
