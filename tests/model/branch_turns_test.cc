// SPDX-License-Identifier: Apache-2.0
#include "model/branch/branch_turns.h"

#include <gtest/gtest.h>

namespace shflsim::model {
namespace branch_turns_test {

TEST(BranchTurns, ComeOneBehindTheOther) {
  BranchTurns turns;
  EXPECT_EQ(turns.take(10, 1), 10u);
  EXPECT_EQ(turns.take(10, 1), 11u);
  EXPECT_EQ(turns.take(10, 4), 12u);
  EXPECT_EQ(turns.take(11, 1), 16u);
  EXPECT_EQ(turns.take(20, 1), 20u);
}

TEST(BranchTurns, WithoutTimeDelayNothing) {
  BranchTurns turns;
  EXPECT_EQ(turns.take(10, 0), 10u);
  EXPECT_EQ(turns.take(10, 0), 10u);
}

}  // namespace branch_turns_test
}  // namespace shflsim::model
