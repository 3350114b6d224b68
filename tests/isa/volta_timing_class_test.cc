// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "isa/volta/timing_class.h"
#include "isa/volta/volta_listing.h"

namespace shflsim::isa {
namespace {

TEST(VoltaTimingClass, AModifierMayDecide) {
  EXPECT_EQ(timing_class("IMAD"), TimingClass::kMultiply);
  EXPECT_EQ(timing_class("IMAD.MOV.U32"), TimingClass::kMultiply);
  EXPECT_EQ(timing_class("IMAD.WIDE"), TimingClass::kWideMultiply);
  EXPECT_EQ(timing_class("IMAD.WIDE.U32"), TimingClass::kWideMultiply);
  EXPECT_EQ(timing_class("HFMA2"), TimingClass::kHalf);
  EXPECT_EQ(timing_class("HFMA2.BF16_V2"), TimingClass::kHalf);
  EXPECT_EQ(timing_class("HFMA2.MMA"), TimingClass::kTensor);
}

TEST(VoltaTimingClass, OperationsThatLeaveTheSubPartitionAreNoIntegerArithmetic) {
  EXPECT_EQ(timing_class("REDUX.SUM"), TimingClass::kReduction);
  EXPECT_EQ(timing_class("MATCH.ANY"), TimingClass::kReduction);
  EXPECT_EQ(timing_class("ATOMS.ADD"), TimingClass::kSharedLoad);
  EXPECT_EQ(timing_class("LDSM.16.M88.4"), TimingClass::kSharedLoad);
  EXPECT_EQ(timing_class("ATOMG.E.ADD.STRONG.GPU"), TimingClass::kGlobalLoad);
  EXPECT_EQ(timing_class("RED.E.ADD.STRONG.GPU"), TimingClass::kGlobalStore);
}

TEST(VoltaTimingClass, WhatIsNotKnownIsUniformByItsFirstLetterOrAnInteger) {
  EXPECT_EQ(timing_class("UISETP.NE.AND"), TimingClass::kUniform);
  EXPECT_EQ(timing_class("VIMNMX"), TimingClass::kInteger);
  EXPECT_EQ(timing_class(""), TimingClass::kInteger);
}

TEST(VoltaListing, AWideProductReadsBothRegistersOfItsSum) {
  const VoltaInstruction wide = volta_instruction("IMAD.WIDE.U32 R34, R15, R38.reuse, R34", 0,
                                                  0x000000260f227225, 0x000fe200078e0022, {});
  ASSERT_EQ(wide.footprint.read_count, 4u);
  EXPECT_EQ(wide.footprint.reads[2].index, 34u);
  EXPECT_EQ(wide.footprint.reads[3].index, 35u);
  EXPECT_EQ(wide.footprint.reads[3].slot, 2u);
}

TEST(VoltaListing, AMatrixLoadTakesSixteenBytesALane) {
  const VoltaInstruction load = volta_instruction("LDSM.16.M88.4 R4, [R18+UR4]", 0,
                                                  0x000000041204783b, 0x000e640008000200, {});
  EXPECT_EQ(load.access_bytes, 16u);
  EXPECT_EQ(load.address_register, 18);
}

}  // namespace
}  // namespace shflsim::isa
