// SPDX-License-Identifier: Apache-2.0
#include "rtl/moves.h"

#include <gtest/gtest.h>

#include <set>

namespace shflsim::rtl {
namespace moves_test {

std::vector<unsigned> sources_of(const isa::LaneMove& move) {
  std::vector<unsigned> sources;
  for (unsigned lane = 0; lane < move.lanes; ++lane)
    if (move.source[0][lane].is_lane()) sources.push_back(move.source[0][lane].lane);
  return sources;
}

TEST(RandomMove, IsOfFiveKindsOrUniformAndAThirdWritesSomeLanes) {
  for (const unsigned lanes : {8u, 32u, 64u}) {
    unsigned masked = 0;
    const auto moves = random_moves(lanes, 180, 1);
    for (unsigned number = 0; number < moves.size(); ++number) {
      const isa::LaneMove& move = moves[number];
      masked += move.written() != isa::all_lanes_of(lanes) ? 1 : 0;
      const std::vector<unsigned> sources = sources_of(move);
      const std::set<unsigned> distinct(sources.begin(), sources.end());
      if (number % 5 == 1 || number % 5 == 2) {
        EXPECT_EQ(distinct.size(), sources.size());
      } else if (number % 50 == 49) {
        EXPECT_EQ(distinct.size(), 1u);
      }
      for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!move.source[0][lane].is_lane()) continue;
        EXPECT_LT(move.source[0][lane].lane, lanes);
        if (number % 5 == 4 && number % 50 != 49) {
          EXPECT_EQ(move.source[0][lane].lane / 4, lane / 4);
        }
      }
    }
    EXPECT_EQ(masked, 60u);
  }
}

TEST(RandomMove, IsTheSameForTheSameSeed) {
  EXPECT_EQ(random_moves(8, 20, 1), random_moves(8, 20, 1));
  EXPECT_FALSE(random_moves(8, 20, 1) == random_moves(8, 20, 2));
}

TEST(NumberedMove, CountsThroughAllMoves) {
  std::set<std::vector<unsigned>> seen;
  for (uint64_t number = 0; number < 256; ++number) {
    const isa::LaneMove move = numbered_move(4, number);
    EXPECT_EQ(move.written(), 0xFu);
    seen.insert(sources_of(move));
  }
  EXPECT_EQ(seen.size(), 256u);
}

}  // namespace moves_test
}  // namespace shflsim::rtl
