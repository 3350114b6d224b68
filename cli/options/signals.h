// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/core/run_result.h"

namespace shflsim::cli {

/// Installs the signal handlers. SIGINT, SIGTERM and SIGHUP ask the current runs to stop
/// (model/core/interruption.h); a second signal, or one while nothing is timed, ends the process at
/// once and removes its unfinished files. SIGUSR1 asks for the progress of the runs. A signal that
/// was ignored stays ignored.
void catch_signals();

/// Ends the process so that its parent sees that this signal ended it: a shell reports 128 plus the
/// signal's number.
[[noreturn]] void end_by(int signal);

/// The exit status of the command after this run: kFine if the run is complete, kDeadlock if
/// --max-cycles ended it, else 128 plus the signal's number.
int status_of(const model::RunResult& result);

}  // namespace shflsim::cli
