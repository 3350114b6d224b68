// SPDX-License-Identifier: Apache-2.0
#include "isa/base/standard_output.h"

#include <gtest/gtest.h>

#include <iostream>
#include <string>

namespace shflsim::isa {
namespace standard_output_test {

/// The number of bytes that are printed of `size` bytes if the command then fails.
size_t bytes_out(size_t size) {
  testing::internal::CaptureStdout();
  {
    const StandardOutput output;
    std::cout << std::string(size, 'a');
  }
  return testing::internal::GetCapturedStdout().size();
}

TEST(StandardOutput, IsHeldBackUpToItsBoundAndGoesOutAsItComesBeyond) {
  EXPECT_EQ(bytes_out(StandardOutput::kHeld), 0u);
  EXPECT_EQ(bytes_out(StandardOutput::kHeld + 1), StandardOutput::kHeld + 1);
}

}  // namespace standard_output_test
}  // namespace shflsim::isa
