// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/core/run_result.h"

namespace shflsim::cli {

/// What signals do from here on. SIGINT, SIGTERM and SIGHUP ask runs that are under way to stop
/// (model/core/interruption.h); a second one, or one where nothing is timed, ends the process at
/// once and removes its unfinished files. SIGUSR1 asks how far the runs are. A signal that was
/// ignored stays so.
void catch_signals();

/// Ends the process so that its parent sees it ended by this signal: a shell reports 128 plus the
/// signal's number.
[[noreturn]] void end_by(int signal);

/// The command's exit status behind such a run: kFine where it is complete, kDeadlock where it was
/// cut short by --max-cycles, else 128 and the signal's number.
int status_of(const model::RunResult& result);

}  // namespace shflsim::cli
