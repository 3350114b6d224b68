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

/// The text of the views table, json and csv. Equal runs give equal bytes: nothing depends on time
/// or host. The keys are those of report/run/columns.h; JSON writes an empty value as null, CSV as
/// an empty field.

/// "partial: stopped by SIGINT after 1200 cycles", for a run that was stopped.
std::string partial_text(const model::RunResult& result);

/// Writes verdict, totals, states, units, instructions and findings as text, in about 120
/// columns.
void write_table(std::ostream& out, const traces::Trace& trace, const model::RunResult& result,
                 const Origin& origin = {}, const Verdict* verdict = nullptr);

/// The whole result as one JSON object.
std::string json_text(const traces::Trace& trace, const model::RunResult& result,
                      const Origin& origin = {});

/// CSV: one row per static instruction, quoted as RFC 4180 says, lines ended by LF. The last
/// columns of each row identify the run.
std::string csv_text(const traces::Trace& trace, const model::RunResult& result,
                     const Origin& origin = {});

}  // namespace shflsim::report
