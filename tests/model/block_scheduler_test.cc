// SPDX-License-Identifier: Apache-2.0
#include "model/sm/block_scheduler.h"

#include <gtest/gtest.h>

namespace shflsim::model {
namespace block_scheduler_test {

BlockParams sm() {
  BlockParams params;
  params.max_warps = 64;
  params.max_blocks = 32;
  params.registers = 65536;
  params.register_unit = 256;
  params.shared_bytes = 65536;
  params.shared_unit = 256;
  params.launch_latency = 20;
  return params;
}

traces::Trace blocks_of(uint32_t threads, unsigned registers = 1, uint32_t shared_bytes = 0) {
  traces::Trace trace;
  trace.threads_per_block = threads;
  trace.code.registers = registers;
  trace.shared_bytes = shared_bytes;
  return trace;
}

unsigned fit(uint32_t threads, unsigned registers = 1, uint32_t shared_bytes = 0) {
  return sm().occupancy(blocks_of(threads, registers, shared_bytes)).blocks_that_fit();
}

TEST(BlockParams, AsManyBlocksFitAsTheirWarps) {
  EXPECT_EQ(fit(256), 8u);
  EXPECT_EQ(fit(1024), 2u);
  EXPECT_EQ(fit(96), 21u);
  EXPECT_EQ(fit(97), 16u);  // a fourth warp of one lane
}

TEST(BlockParams, NoMoreBlocksFitThanThereArePlaces) {
  EXPECT_EQ(fit(32), 32u);
  EXPECT_EQ(fit(64), 32u);
}

TEST(BlockParams, AWarpTakesRegistersByTwoHundredAndFiftySix) {
  EXPECT_EQ(fit(256, 32), 8u);
  EXPECT_EQ(fit(256, 33), 6u);  // as 40
  EXPECT_EQ(fit(256, 40), 6u);
  EXPECT_EQ(fit(256, 41), 5u);  // as 48
  EXPECT_EQ(fit(1024, 64), 1u);
}

TEST(BlockParams, AWarpsRegistersAreInOneSubPartition) {
  EXPECT_EQ(fit(32, 64), 32u);
  EXPECT_EQ(fit(32, 144), 12u);  // 3 in each 16384 registers, though 65536 are enough for 14
  EXPECT_EQ(fit(96, 144), 4u);
}

TEST(BlockParams, TheBlocksThatFitHaveSharedMemoryTogether) {
  EXPECT_EQ(sm().shared_bytes_of(blocks_of(256, 1, 1000)), 8u * 1024);
  EXPECT_EQ(sm().shared_bytes_of(blocks_of(32, 1, 16384)), 4u * 16384);
  EXPECT_EQ(sm().shared_bytes_of(blocks_of(256)), 0u);
}

TEST(BlockParams, BlocksDivideSharedMemory) {
  EXPECT_EQ(fit(32, 1, 16384), 4u);
  EXPECT_EQ(fit(32, 1, 16385), 3u);
  EXPECT_EQ(fit(32, 1, 2049), 28u);  // as 2304
}

TEST(BlockParams, TheDriverKeepsSharedMemoryOfEachBlock) {
  BlockParams hopper = sm();
  hopper.shared_bytes = 233472;
  hopper.shared_unit = 128;
  hopper.shared_reserved = 1024;
  EXPECT_EQ(hopper.occupancy(blocks_of(32, 1, 232448)).by(BlockLimit::kSharedMemory), 1u);
  EXPECT_EQ(hopper.occupancy(blocks_of(32, 1, 15360)).by(BlockLimit::kSharedMemory), 14u);
  EXPECT_EQ(hopper.occupancy(blocks_of(32)).by(BlockLimit::kSharedMemory), 228u);
}

isa::CodeLine barrier(uint8_t number, bool in_registers = false) {
  isa::CodeLine line;
  line.kind = isa::OpKind::kBarrier;
  line.barrier.number = number;
  line.barrier.in_registers = in_registers;
  return line;
}

TEST(BlockParams, BlocksDivideBarriersWhereTheyAreCounted) {
  BlockParams hopper = sm();
  hopper.barriers = 64;
  traces::Trace trace = blocks_of(32);
  EXPECT_EQ(hopper.occupancy(trace).by(BlockLimit::kBarriers), Occupancy::kUnlimited);
  trace.code.lines = {barrier(1), barrier(4)};
  EXPECT_EQ(hopper.occupancy(trace).by(BlockLimit::kBarriers), 12u);
  trace.code.lines.push_back(barrier(0, true));  // any of the 16
  EXPECT_EQ(hopper.occupancy(trace).blocks_that_fit(), 4u);
  trace.code.barriers = 5;  // the file says how many there are
  EXPECT_EQ(hopper.occupancy(trace).by(BlockLimit::kBarriers), 12u);
  EXPECT_EQ(sm().occupancy(trace).by(BlockLimit::kBarriers), Occupancy::kUnlimited);
}

TEST(BlockParams, ALaunchMayHaveFewerBlocksThanFit) {
  traces::Trace trace = blocks_of(256);
  trace.blocks = 6;
  EXPECT_EQ(sm().occupancy(trace).resident_warps(), 48u);
  EXPECT_EQ(sm().occupancy(trace, 4).by(BlockLimit::kLaunch), 2u);
  EXPECT_EQ(sm().occupancy(trace, 4).resident_warps(), 16u);
  trace.blocks = 60;
  EXPECT_EQ(sm().occupancy(trace, 4).resident_warps(), 64u);
}

TEST(BlockParams, NothingFitsThatNeedsMoreThanThereIs) {
  EXPECT_EQ(fit(1024, 65), 0u);
  EXPECT_EQ(fit(32, 1, 65537), 0u);
  EXPECT_FALSE(BlockScheduler("blocks", sm(), blocks_of(1024, 65)).fits());
  EXPECT_TRUE(BlockScheduler("blocks", sm(), blocks_of(1024, 64)).fits());
}

/// Room for two blocks of two warps; warps of place p are in the slots 2 * p and 2 * p + 1.
class TwoPlaces : public ::testing::Test {
 protected:
  static BlockParams params() {
    BlockParams two = sm();
    two.max_blocks = 2;
    return two;
  }
  void start(unsigned place) {
    blocks_.start(place, 2, 0);
    for (const unsigned slot : {2 * place, 2 * place + 1}) blocks_.put(slot, place);
  }
  BlockScheduler blocks_{"blocks", params(), blocks_of(64)};
};

TEST(BlockScheduler, ABlockStartsBehindTheOneBefore) {
  BlockParams params = sm();
  params.block_interval = 23;
  params.warp_interval = 3;
  BlockScheduler blocks("blocks", params, blocks_of(64));
  blocks.start(0, 2, 100);
  EXPECT_EQ(blocks.room_from(100), 125u) << "23 and one for each warp";
  blocks.start(1, 32, 125);
  EXPECT_EQ(blocks.room_from(125), 221u) << "3 for each warp";
}

TEST(BlockScheduler, TheFirstBlocksStartLaterThanTheLaunch) {
  BlockParams params = sm();
  params.first_latency = 35;
  BlockScheduler blocks("blocks", params, blocks_of(64));
  EXPECT_EQ(blocks.room_from(0), 35u);
  EXPECT_EQ(blocks.free_places(34), 0u);
  EXPECT_FALSE(blocks.replaces(35));
  blocks.start(blocks.free_place(35), 2, 35);
  EXPECT_EQ(blocks.room_from(35), 35u) << "in another place";
}

TEST_F(TwoPlaces, AreFreeAtFirst) {
  EXPECT_TRUE(blocks_.is_empty());
  EXPECT_EQ(blocks_.room_from(7), 7u);
  EXPECT_EQ(blocks_.free_place(7), 0u);
}

TEST_F(TwoPlaces, AreTakenOneAfterTheOther) {
  start(0);
  EXPECT_FALSE(blocks_.is_empty());
  EXPECT_EQ(blocks_.room_from(0), 0u);
  EXPECT_EQ(blocks_.free_place(0), 1u);
  start(1);
  EXPECT_EQ(blocks_.room_from(0), kNever);
  EXPECT_EQ(blocks_.place_of(1), 0u);
  EXPECT_EQ(blocks_.place_of(2), 1u);
}

TEST_F(TwoPlaces, APlaceIsFreeALaunchBehindItsLastWarp) {
  start(0);
  start(1);
  blocks_.finished(2, 100);
  EXPECT_EQ(blocks_.room_from(100), kNever);
  blocks_.finished(3, 110);
  EXPECT_EQ(blocks_.room_from(110), 130u);
  EXPECT_EQ(blocks_.free_place(130), 1u);
  start(1);
  EXPECT_EQ(blocks_.room_from(130), kNever);
}

TEST_F(TwoPlaces, TheSoonerOfTwoIsTaken) {
  start(0);
  start(1);
  for (const unsigned slot : {2u, 3u}) blocks_.finished(slot, 100);
  for (const unsigned slot : {0u, 1u}) blocks_.finished(slot, 105);
  EXPECT_TRUE(blocks_.is_empty());
  EXPECT_EQ(blocks_.room_from(105), 120u);
  EXPECT_EQ(blocks_.free_place(120), 1u);
  start(1);
  EXPECT_EQ(blocks_.room_from(121), 125u);
  EXPECT_EQ(blocks_.free_place(125), 0u);
}

}  // namespace block_scheduler_test
}  // namespace shflsim::model
