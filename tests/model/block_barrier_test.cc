// SPDX-License-Identifier: Apache-2.0
#include "model/barrier/block_barrier.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace shflsim::model {
namespace {

constexpr Cycle kLatency = 6;

BarrierParams with_hold(uint32_t hold) {
  BarrierParams params;
  params.latency = kLatency;
  params.hold = hold;
  return params;
}

/// Slot and cycle of each warp let go, in the order in which they were.
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
  barrier.barrier_.arrive(0, 8, 10);
  barrier.barrier_.arrive(0, 1, 14);
  EXPECT_FALSE(barrier.barrier_.has_releases());
  barrier.barrier_.arrive(0, 4, 20);
  EXPECT_TRUE(barrier.barrier_.has_releases());
  const Cycle go = 20 + kLatency;
  EXPECT_EQ(barrier.releases(), (Releases{{8, go}, {1, go}, {4, go}}));
  EXPECT_FALSE(barrier.barrier_.has_releases());
}

TEST(BlockBarrier, StopsTheSameWarpsAgain) {
  Barrier barrier;
  barrier.barrier_.start_block(0, 2);
  for (unsigned slot = 0; slot < 2; ++slot) barrier.barrier_.arrive(0, slot, 10);
  EXPECT_EQ(barrier.releases().size(), 2u);
  barrier.barrier_.arrive(0, 0, 30);
  EXPECT_FALSE(barrier.barrier_.has_releases());
  barrier.barrier_.arrive(0, 1, 31);
  EXPECT_EQ(barrier.releases(), (Releases{{0, 31 + kLatency}, {1, 31 + kLatency}}));
}

TEST(BlockBarrier, LetsABlockOfOneWarpGoOn) {
  Barrier barrier;
  barrier.barrier_.start_block(0, 1);
  barrier.barrier_.arrive(0, 3, 10);
  EXPECT_EQ(barrier.releases(), (Releases{{3, 10 + kLatency}}));
}

TEST(BlockBarrier, WaitsForNoWarpThatHasExited) {
  Barrier barrier;
  barrier.barrier_.start_block(0, 3);
  barrier.barrier_.exit(0, 5);
  barrier.barrier_.arrive(0, 0, 10);
  barrier.barrier_.arrive(0, 1, 12);
  EXPECT_EQ(barrier.releases().size(), 2u);
}

TEST(BlockBarrier, TheExitOfTheLastThatIsMissingLetsTheOthersGo) {
  Barrier barrier;
  barrier.barrier_.start_block(0, 3);
  barrier.barrier_.arrive(0, 0, 10);
  barrier.barrier_.arrive(0, 1, 12);
  barrier.barrier_.exit(0, 40);
  EXPECT_EQ(barrier.releases(), (Releases{{0, 40 + kLatency}, {1, 40 + kLatency}}));
}

TEST(BlockBarrier, LetsNobodyGoWhereAllExit) {
  Barrier barrier;
  barrier.barrier_.start_block(0, 2);
  barrier.barrier_.exit(0, 10);
  barrier.barrier_.exit(0, 11);
  EXPECT_FALSE(barrier.barrier_.has_releases());
}

TEST(BlockBarrier, BlocksWaitForTheirOwnWarps) {
  Barrier barrier;
  barrier.barrier_.start_block(0, 2);
  barrier.barrier_.start_block(1, 1);
  barrier.barrier_.arrive(0, 0, 10);
  barrier.barrier_.arrive(1, 5, 11);
  EXPECT_EQ(barrier.releases(), (Releases{{5, 11 + kLatency}}));
}

TEST(BlockBarrier, ANewBlockTakesThePlaceOfAnEarlierOne) {
  Barrier barrier;
  barrier.barrier_.start_block(0, 1);
  barrier.barrier_.exit(0, 10);
  barrier.barrier_.start_block(0, 2);
  barrier.barrier_.arrive(0, 0, 20);
  EXPECT_FALSE(barrier.barrier_.has_releases());
  barrier.barrier_.arrive(0, 1, 21);
  EXPECT_EQ(barrier.releases().size(), 2u);
}

TEST(BlockBarrier, WarpsOfAllBlocksArriveOneAfterTheOther) {
  Barrier barrier(2);
  barrier.barrier_.start_block(0, 2);
  barrier.barrier_.start_block(1, 1);
  barrier.barrier_.arrive(0, 0, 10);
  barrier.barrier_.arrive(1, 1, 10);  // in 12
  barrier.barrier_.arrive(0, 2, 11);  // in 14
  EXPECT_EQ(barrier.releases(),
            (Releases{{1, 12 + kLatency}, {0, 14 + kLatency}, {2, 14 + kLatency}}));
}

TEST(BlockBarrier, AnExitIsNoSubstituteForAnArrivalToCome) {
  Barrier barrier(4);
  barrier.barrier_.start_block(0, 3);
  barrier.barrier_.arrive(0, 0, 10);
  barrier.barrier_.arrive(0, 1, 10);  // in 14
  barrier.barrier_.exit(0, 11);
  EXPECT_EQ(barrier.releases(), (Releases{{0, 14 + kLatency}, {1, 14 + kLatency}}));
}

}  // namespace
}  // namespace shflsim::model
