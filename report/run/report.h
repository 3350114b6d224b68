// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>

#include "model/core/run_result.h"
#include "report/run/head.h"
#include "report/run/verdict.h"
#include "traces/trace.h"

namespace shflsim::report {

/// "0.1.0"
const char* tool_version();

/// What the views table, json and csv show of a run. Equal runs give equal bytes: nothing in them
/// depends on time or host. The keys are those of report/run/columns.h; JSON writes an empty value
/// as null, CSV as nothing.

/// "partial: stopped by SIGINT after 1200 cycles", for a run that was.
std::string partial_text(const model::RunResult& result);

/// For reading on a terminal: verdict, totals, states, units, instructions, findings. About 120
/// columns.
void write_table(std::ostream& out, const traces::Trace& trace, const model::RunResult& result,
                 const Origin& origin = {}, const Verdict* verdict = nullptr);

/// Everything, as one JSON object.
std::string json_text(const traces::Trace& trace, const model::RunResult& result,
                      const Origin& origin = {});

/// One row for each static instruction, quoted as RFC 4180 says, lines ended by LF. Each row ends
/// with the columns that identify the run.
std::string csv_text(const traces::Trace& trace, const model::RunResult& result,
                     const Origin& origin = {});

}  // namespace shflsim::report
