// SPDX-License-Identifier: Apache-2.0
#include "report/messages.h"

#include <gtest/gtest.h>

namespace shflsim::report {
namespace {

TEST(Messages, A35ARemarkOnAKernelWhoseNameBreaksTheLineStaysOneLine) {
  testing::internal::CaptureStderr();
  remark("kernel 'a\nb\x1b[31m' shares R2");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "kernel 'a\\nb\\x1b[31m' shares R2\n");
}

}  // namespace
}  // namespace shflsim::report
