// SPDX-License-Identifier: Apache-2.0
#include "model/mio/in_order_pipe.h"

#include <gtest/gtest.h>

namespace shflsim::model {
namespace in_order_pipe_test {

TEST(InOrderPipe, IsFreeOnceNothingHoldsIt) {
  InOrderPipe pipe("pipe");
  EXPECT_EQ(pipe.free(), 0u);
  pipe.hold(14);
  EXPECT_EQ(pipe.free(), 14u);
}

TEST(InOrderPipe, AResultWaitsForTheOneBefore) {
  InOrderPipe pipe("pipe");
  EXPECT_EQ(pipe.deliver(30, 1), 30u);
  EXPECT_EQ(pipe.deliver(12, 1), 31u);
  EXPECT_EQ(pipe.deliver(33, 4), 35u);
  EXPECT_EQ(pipe.deliver(40, 4), 40u);
}

}  // namespace in_order_pipe_test
}  // namespace shflsim::model
