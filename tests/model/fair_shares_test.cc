// SPDX-License-Identifier: Apache-2.0
// How the time of a server is divided among those who wait.
#include "model/global_memory/fair_shares.h"

#include <gtest/gtest.h>

namespace shflsim::model {
namespace {

TEST(FairShares, OneAskerIsServedInOrder) {
  FairShares shares;
  EXPECT_EQ(shares.serve(0, 5, 10), 15u);
  EXPECT_EQ(shares.serve(0, 5, 10), 20u);
  EXPECT_EQ(shares.serve(0, 5, 100), 105u);
}

TEST(FairShares, WhoWaitsGetsAnEqualShare) {
  FairShares shares(3);
  EXPECT_EQ(shares.serve(0, 5, 0), 5u);
  EXPECT_EQ(shares.serve(1, 5, 0), 10u) << "half of the time";
  EXPECT_EQ(shares.serve(2, 5, 0), 15u) << "a third";
  EXPECT_EQ(shares.serve(0, 5, 0), 20u);
  EXPECT_EQ(shares.serve(0, 5, 12), 30u) << "1 does not wait any more";
}

TEST(FairQueue, OneAskerIsServedInOrder) {
  FairQueue queue;
  EXPECT_EQ(queue.serve(0, 5, 10), 15u);
  EXPECT_EQ(queue.serve(0, 5, 10), 20u);
  EXPECT_EQ(queue.serve(0, 5, 100), 105u);
}

TEST(FairQueue, WhoNeedsLessLeavesTheRestToTheOthers) {
  FairQueue queue(3);
  EXPECT_EQ(queue.serve(0, 30, 0), 30u);
  EXPECT_EQ(queue.serve(1, 6, 0), 12u) << "half of the time";
  EXPECT_EQ(queue.serve(2, 3, 0), 9u) << "a third";
  EXPECT_EQ(queue.serve(0, 3, 0), 42u) << "behind all work";
  EXPECT_EQ(queue.serve(2, 3, 12), 20u) << "1 has one and a half left";
}

}  // namespace
}  // namespace shflsim::model
