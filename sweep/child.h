// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace shflsim::sweep {

/// The outcome of a call of another program.
struct ChildOutput {
  int status = 0;      ///< exit status; 128 and more if a signal ended it
  std::string output;  ///< standard output
  std::string errors;  ///< standard error
};

/// Calls a program of the PATH with `input` on its standard input, and waits for its end. Throws
/// InputError if there is no such program, and std::runtime_error if the system cannot start a
/// process.
ChildOutput run_child(const std::vector<std::string>& command, const std::string& input = "");

}  // namespace shflsim::sweep
