// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options/view_options.h"
#include "model/config/config.h"
#include "model/core/run_result.h"
#include "traces/trace.h"

namespace shflsim::cli {

/// Times a trace as model::run does, observed by the views. If standard error is a terminal, a line
/// there shows the progress of the run; SIGUSR1 prints such a line at any time. `threads`: as
/// of model::run. `observer`: a further observer, or nullptr.
model::RunResult watched_run(const traces::Trace& trace, const model::ConfigLayers& layers,
                             unsigned sms, const ViewFiles::Shown& shown,
                             model::Cycle most_cycles = model::kNever, unsigned threads = 1,
                             model::Observer* observer = nullptr);

}  // namespace shflsim::cli
