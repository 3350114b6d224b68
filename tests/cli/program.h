// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shflsim::cli {

/// The outcome of one call of the program.
struct ProgramRun {
  int status = -1;     ///< exit status; -1 if it was killed
  std::string output;  ///< standard output
  std::string errors;  ///< standard error
};

/// Calls shflsim with these arguments, separated by blanks as a shell reads them.
ProgramRun run_program(const std::string& arguments);
/// Calls shflsim in `folder`. The program is killed after ten processor seconds or a minute, has
/// at most 1 GiB of memory unless sanitizers reserve more, and finds no folder for temporary
/// files.
ProgramRun run_program_within_limits(const std::string& arguments, const std::string& folder);
/// True if sanitizers reserve more memory than a limit would allow.
bool has_sanitizer();
/// Runs a bash script in a new empty folder. In it, $S is the program and $T the folder of shipped
/// code.
ProgramRun run_script(const std::string& script);

}  // namespace shflsim::cli
