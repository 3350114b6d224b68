// SPDX-License-Identifier: Apache-2.0
#include "report/terminal/messages.h"

#include <fmt/format.h>

#include <exception>
#include <fstream>
#include <iostream>
#include <utility>

#include "isa/base/input_error.h"
#include "isa/base/readable.h"

namespace shflsim::report {
namespace {

struct Messages {
  Verbosity verbosity = Verbosity::kRemarks;
  std::string path;
  std::ofstream log;
  bool holds = false;
  std::vector<std::string> held;
};

Messages& messages() {
  static Messages all;
  return all;
}

}  // namespace

void set_messages(Verbosity verbosity, const std::string& log_file) {
  Messages& all = messages();
  all.verbosity = verbosity;
  all.path = log_file;
  if (log_file.empty()) return;
  all.log.open(log_file, std::ios::app);
  if (!all.log) throw InputError({log_file}, "cannot be written; expected a file for --log-file");
  isa::reserve_for_output(log_file);
}

Verbosity verbosity() { return messages().verbosity; }

void remark(const std::string& line) {
  if (verbosity() < Verbosity::kRemarks) return;
  if (messages().holds) {
    messages().held.push_back(line);
  } else {
    std::cerr << printable(line) << "\n";
  }
}

HeldRemarks::HeldRemarks() { messages().holds = true; }

HeldRemarks::~HeldRemarks() {
  messages().holds = false;
  for (const std::string& line : take()) remark(line);
}

std::vector<std::string> HeldRemarks::take() { return std::exchange(messages().held, {}); }

void detail(const std::string& line) {
  Messages& all = messages();
  if (all.verbosity >= Verbosity::kDetails) std::cerr << printable(line) << "\n";
  if (all.path.empty()) return;
  all.log << printable(line) << std::endl;
  if (!all.log) throw InputError({all.path}, "cannot be written; expected room for the log");
}

TimedDetail::TimedDetail(std::string what)
    : what_(std::move(what)), start_(std::chrono::steady_clock::now()) {}

TimedDetail::~TimedDetail() {
  if (std::uncaught_exceptions() != 0) return;  // failed work: its time is of no interest
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start_;
  try {
    detail(fmt::format("{} in {:.3f} s", what_, taken.count()));
  } catch (const InputError& error) {
    std::cerr << error.what() << "\n";
  }
}

}  // namespace shflsim::report
