// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options/view_options.h"
#include "model/config/config.h"
#include "model/core/run_result.h"
#include "traces/trace.h"

namespace shflsim::cli {

/// Times a trace as model::run does, with the views that watch it, and where standard error is a
/// terminal a line there that says how far the run is.
/// SIGUSR1 has such a line written as well. `observer`: one more, if any.
model::RunResult watched_run(const traces::Trace& trace, const model::ConfigLayers& layers,
                             unsigned sms, const ViewFiles::Shown& shown,
                             model::Cycle most_cycles = model::kNever,
                             model::Observer* observer = nullptr);

}  // namespace shflsim::cli
