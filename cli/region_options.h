// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>
#include <string>

#include "model/core/run_result.h"
#include "traces/region.h"

namespace shflsim::cli {

/// Options that describe a timed region: --region, --warps, --placement, --smem, --bases,
/// --lanes.
void add_region_options(boost::program_options::options_description& options);

/// What they say; `kernel` chooses among the rows of `--bases`. Throws InputError.
traces::RegionOptions region_options(const boost::program_options::variables_map& values,
                                     const std::string& kernel);

/// What the clock reads of the timed iteration, the last two of each warp, measure, in cycles.
struct RegionTimes {
  double span = 0;         ///< first clock read of any warp to the last of any
  double warp_median = 0;  ///< median over the warps of their time between their clock reads
};
RegionTimes region_times(const model::RunResult& result);
/// Drops the other clock reads.
void keep_timed_clock_reads(model::RunResult* result);

}  // namespace shflsim::cli
