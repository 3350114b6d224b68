// SPDX-License-Identifier: Apache-2.0
#include "report/run/bins.h"

#include <gtest/gtest.h>

namespace shflsim::report {
namespace bins_test {

using Rows = std::vector<std::vector<uint64_t>>;

TEST(Bins, SpreadAnIntervalOverTheBinsThatItLiesIn) {
  Bins bins(2);
  bins.add(1, 511, 512);
  EXPECT_EQ(bins.width(), 2u);
  bins.add(0, 1, 5);
  EXPECT_EQ(bins.over(6), (Rows{{1, 2, 1}, {0, 0, 1}}));
}

TEST(Bins, BecomeWiderWithTheRunAndKeepTheirSums) {
  Bins bins(1);
  for (model::Cycle cycle = 0; cycle < 1000; ++cycle) bins.add(0, cycle, cycle + 1);
  EXPECT_EQ(bins.width(), 4u);
  EXPECT_EQ(bins.over(1000), Rows{std::vector<uint64_t>(250, 4)});
}

TEST(Bins, HaveOneBinOfARunOfNoCycles) { EXPECT_EQ(Bins(1).over(0), Rows{{0}}); }

}  // namespace bins_test
}  // namespace shflsim::report
