// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/compare/point_table.h"
#include "sweep/engine.h"
#include "sweep/results_file.h"

namespace shflsim::cli {

/// "80 points: 78 done, 2 timeout"
std::string count_by_state(const report::PointTable& table);
/// The first points that failed, why, and what runs each alone.
void print_failures(const sweep::ResultsFile& file);
/// What a sweep came to, the axes that made no difference, and but for a shard the verdict. Returns
/// an ExitStatus: kNo where a point is not done.
int print_outcome(const sweep::ResultsFile& file, bool is_shard);
/// Which points a sweep has and, from the time of a few of them, how long all would take. Returns
/// an ExitStatus.
int print_dry_run(const sweep::Sweep& sweep, unsigned jobs);

}  // namespace shflsim::cli
