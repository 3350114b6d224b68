// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "runtime/protocol/exec_options.h"

namespace shflsim::cli {

/// Throws InputError if the program is missing, contains the CUDA runtime or calls the driver.
void check_cuda_program(const std::string& program);

/// Runs the program with the project's CUDA runtime library before any other, and waits for its
/// end. Returns its exit status, or 128 plus the number of the signal that ended it. Throws
/// InputError if it cannot be started.
int run_cuda_program(const std::vector<std::string>& words, const runtime::ExecOptions& options);

}  // namespace shflsim::cli
