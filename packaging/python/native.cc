// SPDX-License-Identifier: Apache-2.0
// Python's way to the program: a call runs it in a copy of this process, since SystemC's simulation
// can be begun only once in each.
#include <fcntl.h>
#include <poll.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "cli/options/program.h"

// SystemC's library asks for it by name.
extern "C" [[gnu::visibility("default")]] int sc_main(int argc, char** argv) {
  return shflsim::cli::run_program(argc, argv);
}

namespace {

namespace py = pybind11;

void check(int returned) {
  if (returned < 0) throw std::system_error(errno, std::generic_category(), "shflsim");
}

/// A pipe whose ends close with it.
struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() { check(pipe2(ends.data(), O_CLOEXEC)); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_write();
    close(ends[0]);
  }
  void close_write() {
    if (ends[1] >= 0) close(ends[1]);
    ends[1] = -1;
  }
};

/// What the copy does: the program, on these pipes.
[[noreturn]] void be_program(std::vector<std::string> words, const Pipe& output,
                             const Pipe& errors) {
  dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  dup2(output.ends[1], STDOUT_FILENO);
  dup2(errors.ends[1], STDERR_FILENO);
  std::vector<char*> arguments;
  words.insert(words.begin(), "shflsim");
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int status = shflsim::cli::start_program(static_cast<int>(words.size()), arguments.data());
  std::cout.flush();
  std::cerr.flush();
  std::fflush(nullptr);
  _exit(status);  // what Python has to do at its end is not the copy's
}

/// Waits with Python's lock let go, and throws what a signal's handler raised meanwhile.
void wait_for(std::array<pollfd, 2>* watched) {
  int ready = 0;
  {
    const py::gil_scoped_release others_run;
    ready = poll(watched->data(), watched->size(), -1);
  }
  if (ready < 0 && errno != EINTR) check(ready);
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

/// Reads both to their ends.
std::array<std::string, 2> read_both(const Pipe& output, const Pipe& errors) {
  std::array<pollfd, 2> watched{{{output.ends[0], POLLIN, 0}, {errors.ends[0], POLLIN, 0}}};
  std::array<std::string, 2> texts;
  std::array<char, 65536> bytes{};
  while (watched[0].fd >= 0 || watched[1].fd >= 0) {
    for (pollfd& each : watched) each.revents = 0;
    wait_for(&watched);
    for (size_t i = 0; i < watched.size(); ++i) {
      if (watched[i].fd < 0 || watched[i].revents == 0) continue;
      const ssize_t size = read(watched[i].fd, bytes.data(), bytes.size());
      if (size > 0) {
        texts[i].append(bytes.data(), static_cast<size_t>(size));
      } else if (size == 0 || errno != EINTR) {
        watched[i].fd = -1;
      }
    }
  }
  return texts;
}

int status_of(pid_t copy) {
  int status = 0;
  while (waitpid(copy, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

py::tuple call(const std::vector<std::string>& words) {
  Pipe output;
  Pipe errors;
  std::fflush(nullptr);  // or the copy writes it too
  const pid_t copy = fork();
  check(copy);
  if (copy == 0) be_program(words, output, errors);
  output.close_write();
  errors.close_write();
  try {
    const auto [printed, said] = read_both(output, errors);
    return py::make_tuple(status_of(copy), py::bytes(printed), py::bytes(said));
  } catch (...) {
    kill(copy, SIGKILL);
    status_of(copy);
    throw;
  }
}

}  // namespace

PYBIND11_MODULE(_native, module) {
  module.def("call", &call, py::arg("words"),
             "Runs shflsim with these words: its exit status, standard output and standard error.");
}
