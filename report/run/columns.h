// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/core/run_result.h"
#include "report/run/field.h"
#include "report/run/head.h"
#include "report/run/profile.h"
#include "report/run/sensitivity.h"
#include "report/run/verdict.h"
#include "traces/trace.h"

namespace shflsim::report {

/// One kernel launch and its result.
struct Run {
  const traces::Trace& trace;
  const model::RunResult& result;
  Origin origin = {};
  const Sensitivity* sensitivity = nullptr;  ///< nullptr if not asked for
  const Verdict* verdict = nullptr;          ///< nullptr if the run was not watched for it
  const ProfileDiff* profile = nullptr;      ///< nullptr if there is no profile
};
/// The machine of a run.
Machine machine_of(const Run& run);
struct InstructionRow {
  const Run& run;
  size_t index;  ///< into Code::lines
};
struct StateRow {
  const Run& run;
  model::WarpState state;
};
struct UnitRow {
  const Run& run;
  const model::UnitStats& unit;
};
struct FindingRow {
  const Run& run;
  const traces::Finding& finding;
};

const Fields<Run>& header();  ///< identifies the run
const Fields<Run>& launch();
const Fields<Run>& totals();
const Fields<StateRow>& state_columns();
const Fields<UnitRow>& unit_columns();
const Fields<InstructionRow>& instruction_columns();
const Fields<model::WarpStats>& warp_columns();
const Fields<FindingRow>& finding_columns();
const Fields<model::ConfigValue>& config_columns();

/// Every warp state, in the order of precedence.
std::vector<model::WarpState> all_states();
/// The state other than `selected` with the most cycles; kSelected if no other has any.
model::WarpState top_stall(const model::StateCycles& states);
uint64_t sum_of(const model::StateCycles& states);
/// "0-3,7": the lanes of a mask as text.
std::string lane_ranges(isa::LaneMask mask);
/// The numbers of the lanes in a mask, ascending.
std::vector<uint64_t> lanes_of(isa::LaneMask mask);

}  // namespace shflsim::report
