// SPDX-License-Identifier: Apache-2.0
#include "report/terminal/messages.h"

#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <vector>

namespace shflsim::report {
namespace messages_test {

TEST(Messages, A35ARemarkOnAKernelWhoseNameBreaksTheLineStaysOneLine) {
  testing::internal::CaptureStderr();
  remark("kernel 'a\nb\x1b[31m' shares R2");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "kernel 'a\\nb\\x1b[31m' shares R2\n");
}

TEST(Messages, RemarksThatAreHeldGoOutAtTheEndOrToWhomTakesThem) {
  testing::internal::CaptureStderr();
  {
    HeldRemarks held;
    remark("a");
    EXPECT_EQ(held.take(), std::vector<std::string>{"a"});
    remark("b");
    std::cerr << "of the program\n";
  }
  remark("c");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "of the program\nb\nc\n");
}

}  // namespace messages_test
}  // namespace shflsim::report
