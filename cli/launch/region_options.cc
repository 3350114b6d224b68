// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/region_options.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cli/launch/timing_file.h"
#include "isa/base/input_error.h"
#include "report/explain/lane_pattern.h"

namespace shflsim::cli {

void RegionOptions::list(OptionList& list) {
  list.group("region of sm_70 and later", this);
  list.choice("region", &region, {"clock"}, "KIND",
              "clock: replay the code between two clock reads instead of executing it");
  list.choice("placement", &placement, {"spread", "one"}, "HOW",
              "with --region: warps spread over the sub-partitions, or all on one");
  list.value("smem", &shared, "PATTERN",
             "with --region: shared addresses, row, stride:N, chase or block",
             traces::shared_pattern)
      .standard = "row";
  list.text("bases", &bases, "FILE", "with --region: CSV of kernel, address register, pattern");
  std::iota(lanes.begin(), lanes.end(), 0);
  list.value("lanes", &lanes, "PATTERN", "with --region: lane pattern of lane-index registers",
             report::lane_pattern)
      .standard = "lane";
}

traces::RegionOptions RegionOptions::replay(const WarpCount& warps,
                                            const std::string& kernel) const {
  traces::RegionOptions options;
  options.one_sub_partition = placement == Placement::kOne;
  const uint32_t most = options.one_sub_partition ? 8 : 32;
  options.warps = warps.count.value_or(options.warps);
  if (options.warps > most)
    throw InputError("--warps: '" + std::to_string(options.warps) +
                     "' is out of range; expected 1 to " + std::to_string(most));
  options.shared = shared;
  options.lanes = lanes;
  if (!bases) return options;
  const auto all = read_bases_file(*bases);
  const auto own = all.find(kernel);
  if (own != all.end()) options.bases = own->second;
  return options;
}

RegionTimes region_times(const model::RunResult& result) {
  model::Cycle first = ~model::Cycle{0};
  model::Cycle last = 0;
  std::vector<double> times;
  for (const model::WarpStats& warp : result.warps) {
    const auto& reads = warp.clock_reads;
    if (reads.size() < traces::kRegionClockReads) continue;
    const model::Cycle begin = reads[reads.size() - traces::kRegionClockReads];
    first = std::min(first, begin);
    last = std::max(last, reads.back());
    times.push_back(static_cast<double>(reads.back() - begin));
  }
  if (times.empty()) return {};
  std::sort(times.begin(), times.end());
  const size_t half = times.size() / 2;
  const double median =
      times.size() % 2 != 0 ? times[half] : std::floor((times[half - 1] + times[half]) / 2);
  return {static_cast<double>(last - first), median};
}

void keep_timed_clock_reads(model::RunResult* result) {
  for (model::WarpStats& warp : result->warps) {
    auto& reads = warp.clock_reads;
    const size_t kept = std::min(reads.size(), traces::kRegionClockReads);
    reads.erase(reads.begin(), reads.end() - static_cast<std::ptrdiff_t>(kept));
  }
}

}  // namespace shflsim::cli
