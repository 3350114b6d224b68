// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "report/compare/compare.h"
#include "report/run/document.h"
#include "traces/lane_profile.h"

namespace shflsim::report {

/// A lane profile that designs are ranked on.
struct RankedProfile {
  std::string file;
  traces::LaneProfile profile;
};

/// What a design's shuffle unit does with lane moves: sums over them, each as often as it was
/// counted.
struct Traffic {
  uint64_t moves = 0;
  uint64_t passes = 0;
  uint64_t in_one_pass = 0;  ///< moves that take one
  uint32_t most_passes = 0;  ///< of a move
  uint64_t held = 0;         ///< cycles in which the unit takes nothing else
  uint64_t latency = 0;      ///< cycles from the start in the unit to the use of the result

  void add(const Traffic& more);
};

/// A design on the moves of a family of a profile, or on all of them.
struct TrafficRow {
  const RankedProfile* profile = nullptr;
  std::string family;  ///< "" for all
  const Design* design = nullptr;
  const DesignCost* cost = nullptr;  ///< has no area where the profile has not 32 lanes
  Traffic traffic;
  uint64_t rank = 0;  ///< by cycles a move, then by multiplexers; equals share the first one's
};

/// Designs on lane profiles, without time: what a shuffle unit would be busy with.
struct LaneRanking {
  std::vector<RankedProfile> profiles;
  std::vector<Design> designs;
  std::vector<std::vector<DesignCost>> costs;  ///< by profile, then by design
  std::vector<TrafficRow> rows;  ///< by profile, then by family, the whole first, then by rank

  /// The rows of all families of a profile together.
  std::vector<TrafficRow> whole(size_t profile) const;
};

/// Throws InputError for a design that has no unit for a profile's lanes.
LaneRanking ranked(std::vector<RankedProfile> profiles, std::vector<Design> designs);

/// Puts the rows of each family in the order of a figure of traffic_columns(), the best first.
/// Throws InputError.
void sort_rows(const std::string& key, LaneRanking* ranking);

const Fields<TrafficRow>& traffic_columns();
/// docs/schema/compare-lanes.schema.json
Document ranking_document(const LaneRanking& ranking);
/// For reading: each profile's designs, what each family needs, and ranks beside one another.
/// `most`: designs shown.
void write_ranking(std::ostream& out, const LaneRanking& ranking, size_t most);
/// Which design is fastest on each profile, and which is cheaper and close by.
std::vector<std::string> verdict_on(const LaneRanking& ranking);

}  // namespace shflsim::report
