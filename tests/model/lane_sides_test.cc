// SPDX-License-Identifier: Apache-2.0
#include "model/branch/lane_sides.h"

#include <gtest/gtest.h>

namespace shflsim::model {
namespace lane_sides_test {

constexpr isa::LaneMask kAll = 0xFFFFFFFF;
constexpr isa::LaneMask kLow = 0x0000FFFF;
constexpr isa::LaneMask kHigh = 0xFFFF0000;

TEST(LaneSides, TheSideThatWasLeftIsAtHand) {
  LaneSides sides;
  sides.start(kAll);
  EXPECT_TRUE(sides.part(kHigh, false));
  EXPECT_EQ(sides.active(), kLow);
  sides.wait(0);
  EXPECT_FALSE(sides.resume());
  EXPECT_EQ(sides.active(), kHigh);
  EXPECT_TRUE(sides.meet(0));
  EXPECT_EQ(sides.active(), kAll);
}

TEST(LaneSides, LanesThatHaveEndedAreNoSide) {
  LaneSides sides;
  sides.start(kAll);
  sides.end(kHigh);
  EXPECT_EQ(sides.active(), kLow);
  EXPECT_FALSE(sides.has_others());
}

TEST(LaneSides, ABranchThatAllOrNoLanesTakeLeavesNoSide) {
  LaneSides sides;
  sides.start(kAll);
  EXPECT_FALSE(sides.part(0, false));
  EXPECT_FALSE(sides.part(kAll, true));
  EXPECT_EQ(sides.active(), kAll);
  EXPECT_FALSE(sides.meet(0));
}

TEST(LaneSides, ASideLeftBeforeAnotherIsStored) {
  LaneSides sides;
  sides.start(kAll);
  EXPECT_TRUE(sides.part(kHigh, false));
  EXPECT_TRUE(sides.part(0x000000FF, true));
  EXPECT_EQ(sides.active(), 0x000000FFu);
  sides.wait(1);
  EXPECT_FALSE(sides.resume());
  EXPECT_EQ(sides.active(), 0x0000FF00u);
  EXPECT_TRUE(sides.meet(1));
  EXPECT_EQ(sides.active(), kLow);
  sides.wait(0);
  EXPECT_TRUE(sides.resume());
  EXPECT_EQ(sides.active(), kHigh);
  EXPECT_TRUE(sides.meet(0));
  EXPECT_EQ(sides.active(), kAll);
}

TEST(LaneSides, LanesWhoseRegistersLeadElsewhereStandAtTheJump) {
  LaneSides sides;
  sides.start(kAll);
  sides.part_at_jump(kLow);
  EXPECT_FALSE(sides.stands_at_jump());
  sides.wait(0);
  EXPECT_FALSE(sides.resume());
  EXPECT_TRUE(sides.stands_at_jump());
  EXPECT_EQ(sides.active(), kHigh);
  sides.part_at_jump(kHigh);
  sides.wait(0);
  sides.resume();
  EXPECT_FALSE(sides.stands_at_jump());
}

TEST(LaneSides, ThoseWhoWaitAtAnOuterBarrierDoNotMeetAtAnInnerOne) {
  LaneSides sides;
  sides.start(kAll);
  sides.part(kHigh, true);
  sides.wait(0);
  sides.resume();
  sides.part(0x000000FF, true);
  sides.wait(1);
  sides.resume();
  EXPECT_TRUE(sides.meet(1));
  EXPECT_EQ(sides.active(), kLow);
}

TEST(LaneSides, AWarpStartsAnew) {
  LaneSides sides;
  sides.start(kAll);
  sides.part(kHigh, false);
  sides.part(0x000000FF, true);
  sides.start(kLow);
  EXPECT_FALSE(sides.resume());
  EXPECT_EQ(sides.active(), 0u);
}

}  // namespace lane_sides_test
}  // namespace shflsim::model
