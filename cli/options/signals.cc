// SPDX-License-Identifier: Apache-2.0
#include "cli/options/signals.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "cli/options/command.h"
#include "isa/base/out_file.h"
#include "model/core/interruption.h"

namespace shflsim::cli {
namespace {

constexpr int kStops[] = {SIGINT, SIGTERM, SIGHUP};

void tell(std::string_view text) {
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) return;  // there is no one to tell
}

extern "C" void on_stop(int signal) {
  model::Interruption& runs = model::interruption;
  int none = 0;
  const bool is_heeded = runs.is_heeded;
  if (is_heeded && runs.stop.compare_exchange_strong(none, signal)) return;
  isa::remove_unfinished_files();
  if (!is_heeded) tell("stopped while nothing was being timed; nothing is reported\n");
  std::signal(signal, SIG_DFL);
  std::raise(signal);  // delivered when this handler returns
}

extern "C" void on_status(int /*signal*/) {
  if (!model::interruption.is_heeded) tell("nothing is being timed\n");
  model::interruption.wants_status = true;
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) return;
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void catch_signals() {
  for (const int signal : kStops) handle(signal, on_stop);
  handle(SIGUSR1, on_status);
}

void end_by(int signal) {
  std::signal(signal, SIG_DFL);
  std::raise(signal);
  _exit(kSignal + signal);
}

int status_of(const model::RunResult& result) {
  if (result.stopped_by.empty()) return kFine;
  const int signal = model::interruption.stop;
  return signal == 0 ? static_cast<int>(kDeadlock) : kSignal + signal;
}

}  // namespace shflsim::cli
