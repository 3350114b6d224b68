// SPDX-License-Identifier: Apache-2.0
#include "model/barrier/block_barrier.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace shflsim::model {
namespace block_barrier_test {

constexpr Cycle kLatency = 6;
const BarrierArrival kAll;

BarrierParams with_hold(uint32_t hold) {
  BarrierParams params;
  params.latency = kLatency;
  params.hold = hold;
  return params;
}

/// Slot and cycle of each released warp; warps of one barrier are in the order of their slots.
using Releases = std::vector<std::pair<unsigned, Cycle>>;

class Barrier {
 public:
  explicit Barrier(uint32_t hold = 0) : barrier_("barrier", with_hold(hold), 2) {}
  Releases releases() {
    Releases all;
    for (const BlockBarrier::Release& release : barrier_.take_releases())
      all.emplace_back(release.sm_slot, release.cycle);
    return all;
  }
  BlockBarrier barrier_;
};

TEST(BlockBarrier, LetsAllGoOnceTheLastHasArrived) {
  Barrier barrier;
  barrier.barrier_.start_block(0, 3);
  barrier.barrier_.arrive(0, 8, kAll, 10);
  barrier.barrier_.arrive(0, 1, kAll, 14);
  EXPECT_FALSE(barrier.barrier_.has_releases());
  barrier.barrier_.arrive(0, 4, kAll, 20);
  EXPECT_TRUE(barrier.barrier_.has_releases());
  const Cycle go = 20 + kLatency;
  EXPECT_EQ(barrier.releases(), (Releases{{1, go}, {4, go}, {8, go}}));
  EXPECT_FALSE(barrier.barrier_.has_releases());
}

TEST(BlockBarrier, StopsTheSameWarpsAgain) {
  Barrier barrier;
  barrier.barrier_.start_block(0, 2);
  for (unsigned slot = 0; slot < 2; ++slot) barrier.barrier_.arrive(0, slot, kAll, 10);
  EXPECT_EQ(barrier.releases().size(), 2u);
  barrier.barrier_.arrive(0, 0, kAll, 30);
  EXPECT_FALSE(barrier.barrier_.has_releases());
  barrier.barrier_.arrive(0, 1, kAll, 31);
  EXPECT_EQ(barrier.releases(), (Releases{{0, 31 + kLatency}, {1, 31 + kLatency}}));
}

TEST(BlockBarrier, LetsABlockOfOneWarpGoOn) {
  Barrier barrier;
  barrier.barrier_.start_block(0, 1);
  barrier.barrier_.arrive(0, 3, kAll, 10);
  EXPECT_EQ(barrier.releases(), (Releases{{3, 10 + kLatency}}));
}

TEST(BlockBarrier, WaitsForNoWarpThatHasExited) {
  Barrier barrier;
  barrier.barrier_.start_block(0, 3);
  barrier.barrier_.exit(0, 2, 5);
  barrier.barrier_.arrive(0, 0, kAll, 10);
  barrier.barrier_.arrive(0, 1, kAll, 12);
  EXPECT_EQ(barrier.releases().size(), 2u);
}

TEST(BlockBarrier, TheExitOfTheLastThatIsMissingLetsTheOthersGo) {
  Barrier barrier;
  barrier.barrier_.start_block(0, 3);
  barrier.barrier_.arrive(0, 0, kAll, 10);
  barrier.barrier_.arrive(0, 1, kAll, 12);
  barrier.barrier_.exit(0, 2, 40);
  EXPECT_EQ(barrier.releases(), (Releases{{0, 40 + kLatency}, {1, 40 + kLatency}}));
}

TEST(BlockBarrier, LetsNobodyGoWhereAllExit) {
  Barrier barrier;
  barrier.barrier_.start_block(0, 2);
  barrier.barrier_.exit(0, 0, 10);
  barrier.barrier_.exit(0, 1, 11);
  EXPECT_FALSE(barrier.barrier_.has_releases());
}

TEST(BlockBarrier, BlocksWaitForTheirOwnWarps) {
  Barrier barrier;
  barrier.barrier_.start_block(0, 2);
  barrier.barrier_.start_block(1, 1);
  barrier.barrier_.arrive(0, 0, kAll, 10);
  barrier.barrier_.arrive(1, 5, kAll, 11);
  EXPECT_EQ(barrier.releases(), (Releases{{5, 11 + kLatency}}));
}

TEST(BlockBarrier, ANewBlockTakesThePlaceOfAnEarlierOne) {
  Barrier barrier;
  barrier.barrier_.start_block(0, 1);
  barrier.barrier_.exit(0, 0, 10);
  barrier.barrier_.start_block(0, 2);
  barrier.barrier_.arrive(0, 0, kAll, 20);
  EXPECT_FALSE(barrier.barrier_.has_releases());
  barrier.barrier_.arrive(0, 1, kAll, 21);
  EXPECT_EQ(barrier.releases().size(), 2u);
}

TEST(BlockBarrier, WarpsOfAllBlocksArriveOneAfterTheOther) {
  Barrier barrier(2);
  barrier.barrier_.start_block(0, 2);
  barrier.barrier_.start_block(1, 1);
  barrier.barrier_.arrive(0, 0, kAll, 10);
  barrier.barrier_.arrive(1, 1, kAll, 10);  // in 12
  barrier.barrier_.arrive(0, 2, kAll, 11);  // in 14
  EXPECT_EQ(barrier.releases(),
            (Releases{{1, 12 + kLatency}, {0, 14 + kLatency}, {2, 14 + kLatency}}));
}

TEST(BlockBarrier, AnExitIsNoSubstituteForAnArrivalToCome) {
  Barrier barrier(4);
  barrier.barrier_.start_block(0, 3);
  barrier.barrier_.arrive(0, 0, kAll, 10);
  barrier.barrier_.arrive(0, 1, kAll, 10);  // in 14
  barrier.barrier_.exit(0, 2, 11);
  EXPECT_EQ(barrier.releases(), (Releases{{0, 14 + kLatency}, {1, 14 + kLatency}}));
}

/// An arrival of a warp at barrier `number` of the block, which waits for `warps` warps.
BarrierArrival at(unsigned number, unsigned warps, bool stops = true) {
  return {number, warps, stops};
}

TEST(BlockBarrier, A22WarpsMeetAtABarrierOfTheirOwnNumber) {
  Barrier barrier;
  barrier.barrier_.start_block(0, 4);
  barrier.barrier_.arrive(0, 0, at(1, 2), 10);
  barrier.barrier_.arrive(0, 2, at(2, 2), 11);
  EXPECT_FALSE(barrier.barrier_.has_releases());
  barrier.barrier_.arrive(0, 1, at(1, 2), 12);
  EXPECT_EQ(barrier.releases(), (Releases{{0, 12 + kLatency}, {1, 12 + kLatency}}));
  barrier.barrier_.arrive(0, 3, at(2, 2), 90);
  EXPECT_EQ(barrier.releases(), (Releases{{2, 90 + kLatency}, {3, 90 + kLatency}}));
}

TEST(BlockBarrier, A22AnArrivalThatDoesNotStopCountsForThoseThatDo) {
  Barrier barrier;
  barrier.barrier_.start_block(0, 3);
  barrier.barrier_.arrive(0, 0, at(1, 3, false), 10);
  barrier.barrier_.arrive(0, 0, at(1, 3, false), 11);
  EXPECT_FALSE(barrier.barrier_.has_releases());
  barrier.barrier_.arrive(0, 1, at(1, 3), 12);
  EXPECT_EQ(barrier.releases(), (Releases{{1, 12 + kLatency}}));
}

TEST(BlockBarrier, A22WhoHasArrivedAndExitedStillCounts) {
  Barrier barrier;
  barrier.barrier_.start_block(0, 3);
  barrier.barrier_.arrive(0, 0, at(1, 3, false), 10);
  barrier.barrier_.exit(0, 0, 11);
  barrier.barrier_.arrive(0, 1, at(1, 3), 12);
  EXPECT_FALSE(barrier.barrier_.has_releases());
  barrier.barrier_.arrive(0, 2, at(1, 3), 13);
  EXPECT_EQ(barrier.releases().size(), 2u);
}

TEST(BlockBarrier, A22TheWholeBlocksWaitsForAllThatRunWhoeverLeftAnArrivalBehind) {
  Barrier barrier;
  barrier.barrier_.start_block(0, 3);
  barrier.barrier_.arrive(0, 0, at(0, 0, false), 10);
  barrier.barrier_.exit(0, 0, 11);
  barrier.barrier_.arrive(0, 1, kAll, 12);
  EXPECT_FALSE(barrier.barrier_.has_releases());
  barrier.barrier_.arrive(0, 2, kAll, 13);
  EXPECT_EQ(barrier.releases().size(), 2u);
}

TEST(BlockBarrier, A22ACountBeyondTheBlockIsTheBlock) {
  Barrier barrier;
  barrier.barrier_.start_block(0, 2);
  barrier.barrier_.arrive(0, 0, at(1, 8), 10);
  barrier.barrier_.arrive(0, 1, at(1, 8), 11);
  EXPECT_EQ(barrier.releases().size(), 2u);
}

}  // namespace block_barrier_test
}  // namespace shflsim::model
