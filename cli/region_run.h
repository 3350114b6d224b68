// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.h"
#include "isa/reader/source.h"
#include "model/run.h"
#include "traces/region.h"

namespace shflsim::cli {

/// Options of `run` that describe a timed region: --region, --warps, --placement, --smem, --bases,
/// --lanes.
void add_region_options(boost::program_options::options_description& options);

/// The layers of `--config` (gh100 where there is none) and `--set`.
model::ConfigLayers region_config(const boost::program_options::variables_map& values);

/// What the clock reads of the timed pass, the last two of each warp, measure, in cycles.
struct RegionTimes {
  double span = 0;         ///< first clock read of any warp to the last of any
  double warp_median = 0;  ///< median over the warps of their time between their clock reads
};
RegionTimes region_times(const model::RunResult& result);
/// Drops the other clock reads.
void keep_timed_clock_reads(model::RunResult* result);

/// `shflsim run` of a listing of sm_70 or later.
int run_region(const isa::SourceText& source, const boost::program_options::variables_map& values);

}  // namespace shflsim::cli
