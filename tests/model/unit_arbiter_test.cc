// SPDX-License-Identifier: Apache-2.0
#include "model/mio/unit_arbiter.h"

#include "tests/model/mio_fakes.h"

namespace shflsim::model {
namespace unit_arbiter_test {

constexpr Cycle kRelease = 5;

MioParams params() {
  MioParams params;
  params.read_release = kRelease;
  return params;
}

class UnitArbiterTest : public ::testing::Test {
 protected:
  const Facts load_ = request_to(isa::Pipe::kShared);
  const Facts shuffle_ = request_to(isa::Pipe::kShuffle);
  ArbiterBench<UnitArbiter> bench_{params()};
};

TEST_F(UnitArbiterTest, HasNothingToDoWithoutAHead) {
  EXPECT_EQ(bench_.arbiter.due(), kNever);
  bench_.put(0, load_, 10, 15);
  bench_.run(10, 20);
  EXPECT_EQ(bench_.arbiter.due(), kNever);
}

TEST_F(UnitArbiterTest, StartsAHeadOnceItHasItsOperands) {
  bench_.put(1, load_, 10, 15);
  EXPECT_EQ(bench_.arbiter.due(), 15u);
  bench_.run(10, 20);
  EXPECT_EQ(bench_.shared.starts, (Events{{1, 15}}));
  EXPECT_EQ(bench_.part[1].results, std::vector<Cycle>{15 + FakeUnit::kLatency});
  EXPECT_EQ(bench_.part[1].reads, std::vector<Cycle>{15 + kRelease});
  EXPECT_EQ(bench_.part[1].pops, std::vector<Cycle>{15});
  EXPECT_EQ(bench_.part[1].left, 1u);
}

TEST_F(UnitArbiterTest, StartsAHeadInTheCycleBehindItsComingAtTheEarliest) {
  bench_.put(0, load_, 10, 10);
  bench_.run(10, 20);
  EXPECT_EQ(bench_.shared.starts, (Events{{0, 11}}));
}

TEST_F(UnitArbiterTest, GrantsAUnitToOneSubPartitionACycle) {
  for (unsigned s = 0; s < kSubPartitions; ++s) bench_.put(s, load_, 5, 10);
  bench_.run(10, 20);
  EXPECT_EQ(bench_.shared.starts, (Events{{0, 10}, {1, 11}, {2, 12}, {3, 13}}));
}

TEST_F(UnitArbiterTest, GrantsEachUnitByItself) {
  bench_.put(0, load_, 5, 10);
  bench_.put(1, shuffle_, 5, 10);
  bench_.run(10, 20);
  EXPECT_EQ(bench_.shared.starts, (Events{{0, 10}}));
  EXPECT_EQ(bench_.shuffle.starts, (Events{{1, 10}}));
}

TEST_F(UnitArbiterTest, TakesOneInstructionACycleFromAQueue) {
  bench_.put(0, load_, 5, 10);
  bench_.put(0, shuffle_, 6, 10);
  bench_.run(10, 20);
  EXPECT_EQ(bench_.shared.starts, (Events{{0, 10}}));
  EXPECT_EQ(bench_.shuffle.starts, (Events{{0, 11}}));
}

TEST_F(UnitArbiterTest, AHeadKeepsWhatIsBehindItWaiting) {
  bench_.shared.free = 14;
  bench_.put(0, load_, 5, 10);
  bench_.put(0, shuffle_, 6, 10);
  bench_.run(10, 20);
  EXPECT_EQ(bench_.shared.starts, (Events{{0, 14}}));
  EXPECT_EQ(bench_.shuffle.starts, (Events{{0, 15}}));
}

TEST_F(UnitArbiterTest, WaitsForABusyUnit) {
  bench_.shared.interval = 6;
  bench_.put(2, load_, 5, 10);
  bench_.put(3, load_, 5, 10);
  bench_.run(10, 12);
  EXPECT_EQ(bench_.arbiter.due(), 16u);
  bench_.run(13, 30);
  EXPECT_EQ(bench_.shared.starts, (Events{{2, 10}, {3, 16}}));
}

// The first sub-partition to be asked advances by one in each cycle with a start: 0, 1, 2, 3, 0.
TEST_F(UnitArbiterTest, AsksTheSubPartitionsInTurn) {
  for (int i = 0; i < 3; ++i) {
    bench_.put(0, load_, 5, 10);
    bench_.put(1, load_, 5, 10);
  }
  bench_.run(10, 30);
  EXPECT_EQ(bench_.shared.starts, (Events{{0, 10}, {1, 11}, {0, 12}, {0, 13}, {1, 14}, {1, 15}}));
}

}  // namespace unit_arbiter_test
}  // namespace shflsim::model
