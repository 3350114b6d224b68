// SPDX-License-Identifier: Apache-2.0
#include "cli/region_options.h"

#include <algorithm>
#include <cmath>

#include "cli/accuracy/timing_file.h"
#include "cli/command.h"
#include "cli/spec.h"
#include "isa/input_error.h"
#include "report/lane_pattern.h"

namespace shflsim::cli {

namespace po = boost::program_options;

void add_region_options(po::options_description& options) {
  options.add_options()("region", po::value<std::string>()->value_name("KIND"),
                        "sm_70 and later: clock, what lies between two clock reads")(
      "placement", po::value<std::string>()->value_name("HOW")->default_value("spread"),
      "with --region: warps spread over the sub-partitions, or all on one")(
      "smem", po::value<std::string>()->value_name("PATTERN")->default_value("row"),
      "with --region: shared addresses, row, stride:N, chase or block")(
      "bases", po::value<std::string>()->value_name("FILE"),
      "with --region: CSV of kernel, address register, pattern")(
      "lanes", po::value<std::string>()->value_name("PATTERN")->default_value("lane"),
      "with --region: lane pattern of lane-index registers");
}

traces::RegionOptions region_options(const po::variables_map& values, const std::string& kernel) {
  traces::RegionOptions options;
  const std::string warps = text_of(values, "warps");
  const std::string placement = values["placement"].as<std::string>();
  if (placement != "spread" && placement != "one")
    throw InputError("--placement '" + placement + "'" + suggestion(placement, {"spread", "one"}));
  options.one_sub_partition = placement == "one";
  const uint32_t most = options.one_sub_partition ? 8 : 32;
  if (!warps.empty()) options.warps = static_cast<uint32_t>(read_number(warps, 1, most, "--warps"));
  options.shared = traces::shared_pattern(values["smem"].as<std::string>(), "--smem");
  options.lanes = report::lane_pattern(values["lanes"].as<std::string>(), "--lanes");
  if (values.count("bases") == 0) return options;
  const auto bases = read_bases_file(text_of(values, "bases"));
  const auto own = bases.find(kernel);
  if (own != bases.end()) options.bases = own->second;
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
