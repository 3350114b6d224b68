// SPDX-License-Identifier: Apache-2.0
#include "model/constant_memory/constant_memory.h"

#include <gtest/gtest.h>

namespace shflsim::model {
namespace constant_memory_test {

/// Two caches of four lines in two sets, 50 and 70 cycles from the next level.
ConstantMemoryParams params() {
  ConstantMemoryParams params;
  params.bytes = 256;
  params.line_bytes = 64;
  params.ways = 2;
  params.immediate_latency = 50;
  params.load_latency = 70;
  params.misses = 2;
  return params;
}

class ConstantMemoryTest : public ::testing::Test {
 protected:
  Cycle immediate(uint32_t offset, Cycle now) { return memory_.immediate(0, offset, now); }
  Cycle load(uint32_t offset, Cycle now) {
    traces::LaneAddresses offsets{};
    offsets.fill(offset);
    return memory_.load(0, offsets, isa::kAllLanes, now);
  }
  ConstantMemory memory_{"constant_memory", params()};
};

TEST_F(ConstantMemoryTest, ALineIsThereOnceItHasCome) {
  EXPECT_EQ(immediate(0x210, 10), 60u);
  EXPECT_EQ(immediate(0x200, 30), 60u);  // on its way
  EXPECT_EQ(immediate(0x23c, 80), 80u);
  EXPECT_EQ(immediate(0x240, 80), 130u);
}

TEST_F(ConstantMemoryTest, LoadsHaveACacheOfTheirOwn) {
  EXPECT_EQ(immediate(0, 10), 60u);
  EXPECT_EQ(load(0, 100), 170u);
  EXPECT_EQ(load(0, 200), 200u);
}

TEST_F(ConstantMemoryTest, OfASetTheLineUsedLeastRecentlyMakesRoom) {
  immediate(0x000, 0);  // lines 0, 2 and 4 share a set
  immediate(0x080, 100);
  immediate(0x000, 200);
  EXPECT_EQ(immediate(0x100, 300), 350u);
  EXPECT_EQ(immediate(0x000, 400), 400u);
  EXPECT_EQ(immediate(0x080, 500), 550u);
}

TEST(ConstantMemory, SmsOfAGpcMissForTheFirstTimeOneAfterAnother) {
  ConstantMemoryParams params = constant_memory_test::params();
  params.request = 8;
  ConstantMemory third("constant_memory", params, 2);
  EXPECT_EQ(third.immediate(0, 0x200, 10), 76u);
  EXPECT_EQ(third.immediate(0, 0x210, 70), 76u) << "on its way";
  EXPECT_EQ(third.immediate(0, 0x240, 80), 130u) << "the others ask earlier or later";
  EXPECT_EQ(ConstantMemory("first", params).immediate(0, 0x200, 10), 60u);
}

TEST_F(ConstantMemoryTest, AsManyLinesAsItMayMissAreOnTheirWayTogether) {
  EXPECT_EQ(load(0x000, 10), 80u);
  EXPECT_EQ(load(0x040, 12), 82u);
  EXPECT_EQ(load(0x080, 14), 150u);  // after the first
}

TEST_F(ConstantMemoryTest, ALoadWaitsForTheLinesOfAllItsLanes) {
  traces::LaneAddresses offsets{};
  offsets[7] = 0x40;
  EXPECT_EQ(load(0, 10), 80u);
  EXPECT_EQ(memory_.load(0, offsets, 1, 100), 100u);
  EXPECT_EQ(memory_.load(0, offsets, 0x81, 100), 170u);
}

TEST_F(ConstantMemoryTest, BanksHaveLinesOfTheirOwn) {
  EXPECT_EQ(immediate(0, 10), 60u);
  EXPECT_EQ(memory_.immediate(3, 0, 100), 150u);
}

TEST(ConstantMemory, ALineThatWasNeverUsedComesFromFurtherAway) {
  ConstantMemoryParams some = params();
  some.first_latency = 30;
  ConstantMemory memory("constant_memory", some);
  EXPECT_EQ(memory.immediate(0, 0, 10), 90u);
  EXPECT_EQ(memory.load(0, {}, isa::kAllLanes, 100), 170u);  // not the first use
  memory.immediate(0, 0x080, 200);                           // lines 0, 2 and 4 share a set
  memory.immediate(0, 0x100, 400);
  EXPECT_EQ(memory.immediate(0, 0, 600), 650u);
}

TEST(ConstantMemory, BlocksOfAColdLaunchComeFromFurtherAwayButForBank0) {
  ConstantMemoryParams cold = params();
  cold.cold_latency = 300;
  ConstantMemory memory("constant_memory", cold);
  EXPECT_EQ(memory.immediate(0, 0x200, 10), 60u);
  EXPECT_EQ(memory.immediate(3, 0, 10), 360u);
  EXPECT_EQ(memory.load(3, {}, isa::kAllLanes, 20), 380u) << "when the block is there, and 70";
  EXPECT_EQ(memory.immediate(3, 0xc0, 400), 450u) << "the same block";
  EXPECT_EQ(memory.immediate(3, 0x100, 500), 850u) << "the next block";
  EXPECT_EQ(memory.immediate(4, 0, 900), 1250u) << "another bank";
}

TEST(ConstantMemory, WithoutCachesConstantsAreAtHand) {
  ConstantMemoryParams none = params();
  none.bytes = 0;
  ConstantMemory memory("constant_memory", none);
  EXPECT_EQ(memory.immediate(0, 0, 10), 10u);
  EXPECT_EQ(memory.load(0, {}, isa::kAllLanes, 10), 10u);
}

}  // namespace constant_memory_test
}  // namespace shflsim::model
