// SPDX-License-Identifier: Apache-2.0
#include "sweep/child.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "isa/base/input_error.h"

namespace shflsim::sweep {
namespace {

/// Input or output of a child, kept in an unnamed file.
class Kept {
 public:
  explicit Kept(const std::string& text = "") : file_(std::tmpfile(), std::fclose) {
    const bool is_kept = file_ != nullptr &&
                         std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size() &&
                         std::fflush(file_.get()) == 0;
    if (!is_kept) throw std::runtime_error(std::string("temporary file: ") + std::strerror(errno));
    std::rewind(file_.get());
  }
  int descriptor() const { return fileno(file_.get()); }
  std::string text() const {
    std::string all;
    char bytes[4096];
    std::rewind(file_.get());
    while (const size_t size = std::fread(bytes, 1, sizeof bytes, file_.get()))
      all.append(bytes, size);
    return all;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

pid_t spawned(const std::vector<std::string>& command, const Kept& input, const Kept& output,
              const Kept& errors) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.descriptor(), STDERR_FILENO);
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) throw InputError(command[0] + ": no such program; expected it on the PATH");
  if (error != 0) throw std::runtime_error(command[0] + ": " + std::strerror(error));
  return child;
}

}  // namespace

ChildOutput run_child(const std::vector<std::string>& command, const std::string& text) {
  const Kept input(text);
  const Kept output;
  const Kept errors;
  const pid_t child = spawned(command, input, output, errors);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), output.text(),
          errors.text()};
}

}  // namespace shflsim::sweep
