// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace shflsim::sweep {

/// What a call of another program left.
struct ChildOutput {
  int status = 0;      ///< exit status; 128 and more where a signal ended it
  std::string output;  ///< standard output
  std::string errors;  ///< standard error
};

/// Calls a program of the PATH with `input` on its standard input, and waits for its end. Throws
/// InputError if there is no such program, and std::runtime_error where the system has no more
/// processes.
ChildOutput run_child(const std::vector<std::string>& command, const std::string& input = "");

}  // namespace shflsim::sweep
