// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

#include "cli/options/launch_options.h"
#include "model/core/run_result.h"
#include "traces/region.h"

namespace shflsim::cli {

/// Options that describe a replayed region, with `--warps`.
struct RegionOptions : OptionGroup {
  enum class Kind : char { kClock };
  enum class Placement : char { kSpread, kOne };

  std::optional<Kind> region;
  Placement placement = Placement::kSpread;
  traces::SharedPattern shared;
  isa::LaneValues lanes{};
  std::optional<std::string> bases;

  void list(OptionList& list);
  /// The options of the replay; `kernel` selects rows of `--bases`. Throws InputError.
  traces::RegionOptions replay(const WarpCount& warps, const std::string& kernel) const;
};

/// Times between the last two clock reads of each warp, which enclose the timed iteration; cycles.
struct RegionTimes {
  double span = 0;         ///< from the first clock read of any warp to the last of any warp
  double warp_median = 0;  ///< median over the warps of the time between a warp's clock reads
};
RegionTimes region_times(const model::RunResult& result);
/// Drops the clock reads outside the timed iteration.
void keep_timed_clock_reads(model::RunResult* result);

}  // namespace shflsim::cli
