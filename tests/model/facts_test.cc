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

TEST(Facts, AMoveOfAConvergenceBarrierReadsOrWritesIt) {
  struct Row {
    const char* text;
    bool moves, writes;
    unsigned barrier;
  };
  for (const Row& row : {Row{"BMOV.32.CLEAR R20, B6", true, false, 6},
                         Row{"BMOV.32 B7, R20", true, true, 7}, Row{"BSYNC B5", false, false, 5}}) {
    const Facts facts = facts_of_text(row.text);
    EXPECT_EQ(facts.moves_barrier(), row.moves) << row.text;
    EXPECT_EQ(facts.writes_barrier(), row.writes) << row.text;
    EXPECT_EQ(facts.convergence_barrier, row.barrier) << row.text;
  }
}

}  // namespace
}  // namespace shflsim::model
