// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/compare/point_table.h"
#include "sweep/engine.h"
#include "sweep/results_file.h"

namespace shflsim::cli {

/// "80 points: 78 done, 2 timeout"
std::string count_by_state(const report::PointTable& table);
/// Prints the first points that failed: the state, the reason and the command that runs the point.
void print_failures(const sweep::ResultsFile& file);
/// Prints the outcome of a sweep, the axes that had no effect and, unless it is a shard, the
/// verdict. Returns kNo if a point is not done, otherwise kFine.
int print_outcome(const sweep::ResultsFile& file, bool is_shard);
/// Prints the points of a sweep and an estimate of its duration from the time of some of them.
/// Returns an ExitStatus.
int print_dry_run(const sweep::Sweep& sweep, unsigned jobs);

}  // namespace shflsim::cli
