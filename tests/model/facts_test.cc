// SPDX-License-Identifier: Apache-2.0
#include "tests/model/facts_of_text.h"

#include <gtest/gtest.h>

namespace shflsim::model {
namespace {

TEST(Facts, UniformMovesAndVotesWaitBehindABarrier) {
  for (const char* text :
       {"NOP", "ULDC.64 UR4, c[0x0][0x208]", "UMOV UR4, 0x400", "VOTEU.ANY UR4, UPT, PT"})
    EXPECT_TRUE(facts_of_text(text).waits_behind_barrier) << text;
}

TEST(Facts, MathAndUniformMathDoNot) {
  for (const char* text : {"IADD3 R0, R1, R2, R3", "ULEA UR4, UR5, UR4, 0x18",
                           "USHF.R.U32.HI UR4, URZ, 0x5, UR4", "VOTE.ANY R0, PT, PT"})
    EXPECT_FALSE(facts_of_text(text).waits_behind_barrier) << text;
}

}  // namespace
}  // namespace shflsim::model
