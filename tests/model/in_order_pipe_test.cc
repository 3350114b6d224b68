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
  EXPECT_EQ(pipe.deliver(30), 30u);
  EXPECT_EQ(pipe.deliver(12), 30u);
  EXPECT_EQ(pipe.deliver(31), 31u);
}

}  // namespace in_order_pipe_test
}  // namespace shflsim::model
