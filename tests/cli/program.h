// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shflsim::cli {

/// What one call of the program left.
struct ProgramRun {
  int status = -1;     ///< exit status; -1 where it was killed
  std::string output;  ///< standard output
  std::string errors;  ///< standard error
};

/// Calls shflsim with these arguments, separated by blanks as a shell reads them.
ProgramRun run_program(const std::string& arguments);
/// Calls shflsim in `folder`. The program is killed after ten processor seconds or a minute, and has
/// at most 1 GiB of memory, unless sanitizers reserve more. There is no folder for temporary
/// files.
ProgramRun run_program_within_limits(const std::string& arguments, const std::string& folder);
/// True where sanitizers reserve more memory than a limit would leave.
bool has_sanitizer();
/// Runs a script of bash in an empty folder of its own. In it, $S is the program, $T the folder of
/// shipped code.
ProgramRun run_script(const std::string& script);

}  // namespace shflsim::cli
