// SPDX-License-Identifier: Apache-2.0
#include "report/compare/lane_ranking.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "isa/base/input_error.h"
#include "model/shuffle/shuffle_network.h"

namespace shflsim::report {
namespace lane_ranking_test {

RankedProfile profile_of(const std::string& text) {
  const std::string path = testing::TempDir() + std::to_string(getpid()) + ".ranking.lanes";
  std::ofstream(path) << text;
  RankedProfile ranked{"p.lanes", traces::read_lane_profile(path)};
  std::remove(path.c_str());
  return ranked;
}

std::vector<Design> designs_of(const std::vector<std::string>& networks,
                               const std::string& setting = "") {
  std::vector<Design> designs;
  for (const std::string& network : networks) {
    Design design{network, {}};
    design.layers.add_file("gm107");
    design.layers.add_setting("shuffle.network=" + network);
    if (!setting.empty()) design.layers.add_setting(setting);
    designs.push_back(design);
  }
  return designs;
}

/// "network family rank passes held" of each row.
std::vector<std::string> rows_of(const LaneRanking& ranking) {
  std::vector<std::string> texts;
  for (const TrafficRow& row : ranking.rows) {
    std::ostringstream text;
    text << row.cost->network << " " << (row.family.empty() ? "all" : row.family) << " " << row.rank
         << " " << row.traffic.passes << "/" << row.traffic.moves << " " << row.traffic.held;
    texts.push_back(text.str());
  }
  return texts;
}

const char* const kProfile =
    "lanes 1\n"
    "family sums 2\n10 bfly 1 0x1f\n20 bfly 0x10 0x1f mask=0xffff\n"
    "family gathers 1\n2 idx 0 0x1f\n"
    "total 32\n";

TEST(LaneRanking, WeighsPassesByCountsAndFamilies) {
  const LaneRanking ranking =
      ranked({profile_of(kProfile)}, designs_of({"crossbar", "xor", "ring", "butterfly"}));
  EXPECT_EQ(rows_of(ranking),
            (std::vector<std::string>{
                "butterfly all 1 32/32 32", "crossbar all 2 32/32 32", "xor all 3 94/32 94",
                "ring all 4 362/32 362", "xor sums 1 30/30 30", "butterfly sums 1 30/30 30",
                "crossbar sums 3 30/30 30", "ring sums 4 330/30 330", "butterfly gathers 1 2/2 2",
                "crossbar gathers 2 2/2 2", "ring gathers 3 32/2 32", "xor gathers 4 64/2 64"}));
  EXPECT_EQ(ranking.rows[2].traffic.in_one_pass, 30u);
  EXPECT_EQ(ranking.rows[2].traffic.most_passes, 32u);
}

TEST(LaneRanking, OfANarrowUnitCountsItsSlices) {
  const LaneRanking ranking =
      ranked({profile_of(kProfile)}, designs_of({"crossbar"}, "shuffle.lanes=8"));
  EXPECT_EQ(rows_of(ranking),
            (std::vector<std::string>{"crossbar all 1 32/32 88", "crossbar sums 1 30/30 80",
                                      "crossbar gathers 1 2/2 8"}));
  EXPECT_THROW(
      ranked({profile_of("lanes 1\nwidth 8\nfamily f 1\n1 map 1,0,3,2,5,4,7,6\ntotal 1\n")},
             designs_of({"crossbar"}, "shuffle.lanes=8")),
      InputError);
}

TEST(LaneRanking, HasCostsButNoAreasOfOtherNumbersOfLanes) {
  const RankedProfile wide = profile_of(
      "lanes 1\nwidth 64\nfamily f 1\n"
      "3 \"v_permlane64_b32 v0, v1\"\n1 \"v_mov_b32_dpp v0, v1 row_shr:1 row_mask:0xf "
      "bank_mask:0xf\"\ntotal 4\n");
  const LaneRanking ranking = ranked({wide}, designs_of({"crossbar", "xor"}));
  EXPECT_EQ(rows_of(ranking), (std::vector<std::string>{"crossbar all 1 4/4 4", "xor all 2 7/4 7",
                                                        "crossbar f 1 4/4 4", "xor f 2 7/4 7"}));
  for (const Field<TrafficRow>& column : traffic_columns()) {
    const Value value = column.get(ranking.rows.front());
    if (column.key == "mux2") {
      EXPECT_EQ(number_of(value), 64 * 63 * 32);
    }
    const bool is_built =
        column.key == "cell_area" || column.key.find("_to_crossbar") != std::string::npos;
    EXPECT_EQ(is_empty(value), is_built) << column.key;
  }
}

TEST(LaneRanking, GoesThroughEveryNetworkWithoutMoves) {
  const LaneRanking ranking =
      ranked({profile_of("lanes 1\nfamily none 0\n0 bfly 1 0x1f\ntotal 0\n")},
             designs_of(model::ShuffleNetworks::names()));
  std::ostringstream text;
  write_ranking(text, ranking, 100);
  EXPECT_NE(text.str().find("p.lanes: 0 lane moves"), std::string::npos) << text.str();
}

TEST(LaneRanking, IsSortedByAFigureAndRefusesOthers) {
  LaneRanking ranking =
      ranked({profile_of(kProfile)}, designs_of({"crossbar", "xor", "shared_memory"}));
  sort_rows("mux2", &ranking);
  EXPECT_EQ(ranking.rows[0].cost->network, "xor");
  EXPECT_EQ(ranking.rows[1].cost->network, "crossbar");
  EXPECT_EQ(ranking.rows[2].cost->network, "shared_memory");
  EXPECT_THROW(sort_rows("speedup", &ranking), InputError);
}

}  // namespace lane_ranking_test
}  // namespace shflsim::report
