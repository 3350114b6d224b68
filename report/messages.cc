// SPDX-License-Identifier: Apache-2.0
#include "report/messages.h"

#include <fstream>
#include <iostream>

#include "isa/input_error.h"

namespace shflsim::report {
namespace {

struct Messages {
  Verbosity verbosity = Verbosity::kRemarks;
  std::string path;
  std::ofstream log;
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
}

Verbosity verbosity() { return messages().verbosity; }

void remark(const std::string& line) {
  if (verbosity() >= Verbosity::kRemarks) std::cerr << printable(line) << "\n";
}

void detail(const std::string& line) {
  Messages& all = messages();
  if (all.verbosity >= Verbosity::kDetails) std::cerr << printable(line) << "\n";
  if (all.path.empty()) return;
  all.log << printable(line) << std::endl;
  if (!all.log) throw InputError({all.path}, "cannot be written; expected room for the log");
}

}  // namespace shflsim::report
