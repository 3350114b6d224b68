// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "report/compare/compare.h"
#include "report/run/document.h"
#include "traces/lane_profile.h"

namespace shflsim::report {

/// A lane profile on which designs are ranked.
struct RankedProfile {
  std::string file;
  traces::LaneProfile profile;
};

/// The work of a design's shuffle unit for lane moves: sums over the moves, each weighted by its
/// count.
struct Traffic {
  uint64_t moves = 0;
  uint64_t passes = 0;
  uint64_t in_one_pass = 0;  ///< moves that take one pass
  uint32_t most_passes = 0;  ///< greatest number of passes of a move
  uint64_t held = 0;         ///< cycles in which the unit accepts no other move
  uint64_t latency = 0;      ///< cycles from the start in the unit until the result can be used

  void add(const Traffic& more);
};

/// A design on the moves of one family of a profile, or on all moves.
struct TrafficRow {
  const RankedProfile* profile = nullptr;
  std::string family;  ///< "" for all moves
  const Design* design = nullptr;
  const DesignCost* cost = nullptr;  ///< without area if the profile does not have 32 lanes
  Traffic traffic;
  uint64_t rank = 0;  ///< by cycles per move, then by multiplexers; equal designs share a rank
};

/// Designs ranked on lane profiles, without time, by how long they occupy the shuffle unit.
struct LaneRanking {
  std::vector<RankedProfile> profiles;
  std::vector<Design> designs;
  std::vector<std::vector<DesignCost>> costs;  ///< by profile and design
  std::vector<TrafficRow> rows;                ///< by profile, family (all moves first) and rank

  /// The rows of a profile for all its moves.
  std::vector<TrafficRow> whole(size_t profile) const;
};

/// Throws InputError for a design whose unit does not support the profile's lanes.
LaneRanking ranked(std::vector<RankedProfile> profiles, std::vector<Design> designs);

/// Sorts the rows of each family by a figure of traffic_columns(), the best first. Throws
/// InputError.
void sort_rows(const std::string& key, LaneRanking* ranking);

const Fields<TrafficRow>& traffic_columns();
/// docs/schema/compare-lanes.schema.json
Document ranking_document(const LaneRanking& ranking);
/// Writes, for each profile, the designs, the needs of each family, and the ranks side by side.
/// `most`: number of designs shown.
void write_ranking(std::ostream& out, const LaneRanking& ranking, size_t most);
/// The fastest design on each profile, and a cheaper one close by.
std::vector<std::string> verdict_on(const LaneRanking& ranking);

}  // namespace shflsim::report
