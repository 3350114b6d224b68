// SPDX-License-Identifier: Apache-2.0
// 64-bit integer operations, each made of two operations on words and a carry between them.
#include <gtest/gtest.h>

#include "tests/isa/machine_support.h"

namespace shflsim::isa {
namespace machine_carry_test {

TEST(CarryChain, OfThreeAddendsMayCarryTwo) {
  Experiment one({"IADD3 R6.CC, R0, R1, R2", "IADD3.X R7, R3, R4, R5"});
  for (uint8_t i = 0; i < 3; ++i) one.set(i, 0xFFFFFFFF);
  for (uint8_t i = 3; i < 6; ++i) one.set(i, 16);
  one.run();
  EXPECT_EQ(one.value(6), 0xFFFFFFFDu);
  EXPECT_EQ(one.value(7), 50u);
}

TEST(CarryChain, TestsTwoWordsForZero) {
  struct {
    uint32_t low, high;
    bool zero;
  } const rows[] = {{0, 0, true}, {1, 0, false}, {0, 1, false}, {7, 7, false}};
  for (const auto& row : rows) {
    Experiment one({"I2I.U32.U32 RZ.CC, R0", "LOP.AND.X.Z P0, RZ, R1, 0xff"});
    one.set(0, row.low);
    one.set(1, row.high);
    one.run();
    EXPECT_EQ(one.predicate(0), row.zero ? kAllLanes : 0);
  }
}

TEST(CarryChain, AddsAndSubtractsSixtyFourBits) {
  Experiment one(
      {"IADD R4.CC, R0, R2", "IADD.X R5, R1, R3", "IADD R6.CC, R0, -R2", "IADD.X R7, R1, -R3"});
  one.set(0, 0x80000000);
  one.set(1, 0x11111111);
  one.set(2, 0x80000001);
  one.set(3, 0x22222222);
  one.run();
  EXPECT_EQ(one.value(4), 1u);
  EXPECT_EQ(one.value(5), 0x33333334u);
  EXPECT_EQ(one.value(6), 0xFFFFFFFFu);
  EXPECT_EQ(one.value(7), 0xEEEEEEEEu);
}

TEST(CarryChain, ComparesSixtyFourBits) {
  struct {
    uint32_t a_low, a_high, b_low, b_high;
    bool below, equal;
  } const rows[] = {
      {0, 0, 1, 0, true, false},          {1, 0, 0, 0, false, false},
      {5, 7, 5, 7, false, true},          {0, 0x80000000, 0, 0, true, false},
      {9, 0xFFFFFFFF, 1, 0, true, false}, {1, 3, 0xFFFFFFFF, 2, false, false},
  };
  for (const auto& row : rows) {
    Experiment one({"IADD RZ.CC, R0, -R2", "ISETP.LT.X.AND P0, PT, R1, R3, PT",
                    "IADD RZ.CC, R0, -R2", "ISETP.EQ.X.AND P1, PT, R1, R3, PT",
                    "IADD RZ.CC, R0, -R2", "ISETP.LE.X.AND P2, PT, R1, R3, PT"});
    one.set(0, row.a_low);
    one.set(1, row.a_high);
    one.set(2, row.b_low);
    one.set(3, row.b_high);
    one.run();
    EXPECT_EQ(one.predicate(0), row.below ? kAllLanes : 0);
    EXPECT_EQ(one.predicate(1), row.equal ? kAllLanes : 0);
    EXPECT_EQ(one.predicate(2), row.below || row.equal ? kAllLanes : 0);
  }
}

TEST(MinimumOfTwoWords, FollowsTheUpperWordsUnlessTheyAreEqual) {
  struct {
    uint32_t a_low, a_high, b_low, b_high;
    bool a_below;
  } const rows[] = {
      {9, 0, 1, 1, true},          {1, 0, 9, 0, true},           {9, 3, 1, 3, false},
      {9, 0xFFFFFFFF, 1, 0, true}, {0x80000000, 0, 1, 0, false},
  };
  for (const auto& row : rows) {
    Experiment one({"IMNMX.XHI R5.CC, R1, R3, PT", "IMNMX.U32.XLO R4, R0, R2, PT",
                    "IMNMX.XHI R7.CC, R1, R3, !PT", "IMNMX.U32.XLO R6, R0, R2, !PT"});
    one.set(0, row.a_low);
    one.set(1, row.a_high);
    one.set(2, row.b_low);
    one.set(3, row.b_high);
    one.run();
    EXPECT_EQ(one.value(4), row.a_below ? row.a_low : row.b_low);
    EXPECT_EQ(one.value(5), row.a_below ? row.a_high : row.b_high);
    EXPECT_EQ(one.value(6), row.a_below ? row.b_low : row.a_low);
    EXPECT_EQ(one.value(7), row.a_below ? row.b_high : row.a_high);
  }
}

TEST(Address, IsScaledOverSixtyFourBits) {
  Experiment one({"LEA R4.CC, R0, R2, 0x3", "LEA.HI.X R5, R0, R3, R1, 0x3"});
  one.set(0, 0xF0000000);  // index, 64 bits
  one.set(1, 0x1);
  one.set(2, 0x90000000);  // base
  one.set(3, 0x10);
  one.run();
  EXPECT_EQ(one.value(4), 0x10000000u);
  EXPECT_EQ(one.value(5), 0x10u + 0xFu + 1u);
}

}  // namespace machine_carry_test
}  // namespace shflsim::isa
