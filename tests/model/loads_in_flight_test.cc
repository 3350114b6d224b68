// SPDX-License-Identifier: Apache-2.0
#include "model/global_memory/loads_in_flight.h"

#include <gtest/gtest.h>

namespace shflsim::model {
namespace {

TEST(LoadsInFlight, TheNextLoadWaitsForTheFirstThatReturns) {
  LoadsInFlight loads(2);
  EXPECT_EQ(loads.add(0, 300), 0u);
  EXPECT_EQ(loads.add(1, 200), 200u) << "whichever of them it is";
  EXPECT_EQ(loads.add(200, 500), 300u);
  EXPECT_EQ(loads.add(300, 600), 500u);
}

TEST(LoadsInFlight, LoadsThatHaveReturnedTakeNoPlace) {
  LoadsInFlight loads(2);
  EXPECT_EQ(loads.add(0, 30), 0u);
  EXPECT_EQ(loads.add(40, 70), 40u);
}

TEST(LoadsInFlight, WithoutALimitNoLoadWaits) {
  LoadsInFlight loads(0);
  for (Cycle now = 0; now < 1000; ++now) EXPECT_EQ(loads.add(now, 5000), now);
}

}  // namespace
}  // namespace shflsim::model
