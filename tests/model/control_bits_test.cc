// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "model/dependence/dependence.h"

namespace shflsim::model {
namespace control_bits_test {

constexpr uint32_t kDelay = 2;
constexpr unsigned kSlot = 5;

Facts sets(uint8_t write_barrier, uint8_t read_barrier = isa::Control::kNoScoreboard,
           isa::Pipe pipe = isa::Pipe::kShuffle) {
  Facts facts;
  facts.pipe = pipe;
  facts.control.write_barrier = write_barrier;
  facts.control.read_barrier = read_barrier;
  facts.is_long = is_waited_long(facts);
  return facts;
}

/// A wait for SBn for each set bit n.
Facts waits_for(uint8_t barriers) {
  Facts facts;
  facts.control.wait_mask = barriers;
  return facts;
}

/// DEPBAR.LE SBn, most
Facts depbar(unsigned barrier, uint8_t most) {
  Facts facts;
  facts.scoreboard_wait.mask = static_cast<uint8_t>(1u << barrier);
  facts.scoreboard_wait.most = most;
  return facts;
}

class ControlBits : public ::testing::Test {
 protected:
  explicit ControlBits(uint32_t delay = kDelay, uint32_t behind_result = 0)
      : bits_(make_control_bits("dependence", {delay, behind_result})) {}
  /// The state that blocks the warp in cycle `now`.
  WarpState blocker(const Facts& facts, Cycle now, unsigned slot = kSlot) {
    bits_->update(now);
    return bits_->blocker(slot, facts, now);
  }
  const std::unique_ptr<Dependence> bits_;
};

class ScoreboardOfResultsAndSources : public ControlBits {
 protected:
  ScoreboardOfResultsAndSources() : ControlBits(0, 1) {
    bits_->issued(kSlot, sets(0), 1);
    bits_->issued(kSlot, sets(7, 0), 2);
    bits_->sources_read(kSlot, sets(7, 0), 31);
  }
  /// The first cycle in which SB0 is released if a result of `sets_it` comes in this cycle.
  Cycle released(const Facts& sets_it, Cycle result) {
    bits_->result_ready(kSlot, sets_it, result);
    Cycle now = 29;
    while (blocker(waits_for(1), now) != WarpState::kSelected) ++now;
    return now;
  }
};

TEST_F(ScoreboardOfResultsAndSources, SourcesReadACycleBehindAResultAreReleasedLater) {
  EXPECT_EQ(released(sets(0), 30), 32u);
}

TEST_F(ScoreboardOfResultsAndSources, AResultOfAnotherCycleDoesNotMatter) {
  EXPECT_EQ(released(sets(0), 29), 31u);
}

TEST_F(ScoreboardOfResultsAndSources, NorDoesAResultOfAnotherScoreboard) {
  bits_->result_ready(kSlot, sets(0), 20);
  EXPECT_EQ(released(sets(1), 30), 31u);
}

TEST_F(ControlBits, NothingIsPendingAtFirst) {
  EXPECT_EQ(blocker(waits_for(0x3F), 0), WarpState::kSelected);
  EXPECT_EQ(bits_->due(), kNever);
}

TEST_F(ControlBits, AScoreboardIsSeenAsSetADelayBehindTheIssue) {
  bits_->issued(kSlot, sets(0), 10);
  EXPECT_EQ(bits_->due(), 10u + kDelay);
  EXPECT_EQ(blocker(waits_for(1), 11), WarpState::kSelected);
  EXPECT_EQ(bits_->update(12), slot_bit(kSlot));
  EXPECT_EQ(blocker(waits_for(1), 12), WarpState::kShortScoreboard);
}

TEST_F(ControlBits, AWriteBarrierIsReleasedWithTheResult) {
  bits_->issued(kSlot, sets(0), 10);
  bits_->result_ready(kSlot, sets(0), 30);
  EXPECT_EQ(blocker(waits_for(1), 29), WarpState::kShortScoreboard);
  EXPECT_EQ(bits_->due(), 30u);
  EXPECT_EQ(bits_->update(30), slot_bit(kSlot));
  EXPECT_EQ(blocker(waits_for(1), 30), WarpState::kSelected);
}

TEST_F(ControlBits, AReadBarrierIsReleasedWhenTheSourcesAreRead) {
  const Facts store = sets(2, 1);
  bits_->issued(kSlot, store, 10);
  bits_->sources_read(kSlot, store, 20);
  EXPECT_EQ(blocker(waits_for(1u << 1), 19), WarpState::kShortScoreboard);
  EXPECT_EQ(blocker(waits_for(1u << 1), 20), WarpState::kSelected);
  EXPECT_EQ(blocker(waits_for(1u << 2), 20), WarpState::kShortScoreboard);
}

TEST_F(ControlBits, EachOfSixScoreboardsCountsForItself) {
  for (uint8_t sb = 0; sb < 6; ++sb) {
    bits_->issued(kSlot, sets(sb), 10);
    bits_->result_ready(kSlot, sets(sb), 20u + sb);
  }
  for (uint8_t sb = 0; sb < 6; ++sb) {
    const Facts one = waits_for(static_cast<uint8_t>(1u << sb));
    EXPECT_EQ(blocker(one, 19u + sb), WarpState::kShortScoreboard);
    EXPECT_EQ(blocker(one, 20u + sb), WarpState::kSelected);
  }
}

TEST_F(ControlBits, AMaskWaitsForTheLastOfItsScoreboards) {
  for (const uint8_t sb : {uint8_t{0}, uint8_t{3}}) bits_->issued(kSlot, sets(sb), 10);
  bits_->result_ready(kSlot, sets(3), 20);
  bits_->result_ready(kSlot, sets(0), 30);
  EXPECT_EQ(blocker(waits_for(0b1001), 29), WarpState::kShortScoreboard);
  EXPECT_EQ(blocker(waits_for(0b0110), 29), WarpState::kSelected);
  EXPECT_EQ(blocker(waits_for(0b1001), 30), WarpState::kSelected);
}

TEST_F(ControlBits, AScoreboardIsClearOnceAllThatSetItAreDone) {
  bits_->issued(kSlot, sets(0), 10);
  bits_->issued(kSlot, sets(0), 11);
  bits_->result_ready(kSlot, sets(0), 20);
  bits_->result_ready(kSlot, sets(0), 25);
  EXPECT_EQ(blocker(waits_for(1), 24), WarpState::kShortScoreboard);
  EXPECT_EQ(blocker(waits_for(1), 25), WarpState::kSelected);
}

TEST_F(ControlBits, ADepbarWaitsUntilSoManyArePending) {
  for (Cycle now = 10; now < 13; ++now) bits_->issued(kSlot, sets(4), now);
  for (Cycle now = 20; now < 23; ++now) bits_->result_ready(kSlot, sets(4), now);
  EXPECT_EQ(blocker(depbar(4, 2), 19), WarpState::kShortScoreboard);
  EXPECT_EQ(blocker(depbar(4, 3), 19), WarpState::kSelected);
  EXPECT_EQ(blocker(depbar(4, 2), 20), WarpState::kSelected);
  EXPECT_EQ(blocker(depbar(4, 0), 21), WarpState::kShortScoreboard);
  EXPECT_EQ(blocker(depbar(4, 0), 22), WarpState::kSelected);
}

TEST_F(ControlBits, WhatGlobalMemoryHoldsIsALongScoreboard) {
  bits_->issued(kSlot, sets(0, isa::Control::kNoScoreboard, isa::Pipe::kGlobal), 10);
  bits_->issued(kSlot, sets(1), 10);
  EXPECT_EQ(blocker(waits_for(0b01), 12), WarpState::kLongScoreboard);
  EXPECT_EQ(blocker(waits_for(0b10), 12), WarpState::kShortScoreboard);
  EXPECT_EQ(blocker(waits_for(0b11), 12), WarpState::kLongScoreboard);
  EXPECT_EQ(blocker(depbar(0, 0), 12), WarpState::kLongScoreboard);
}

TEST_F(ControlBits, WhatBarriersInSharedMemoryHoldIsALongScoreboard) {
  for (const isa::OpKind kind : {isa::OpKind::kSharedBarrier, isa::OpKind::kSharedArrival,
                                 isa::OpKind::kSharedCheck, isa::OpKind::kBulkCopy}) {
    Facts facts = sets(0, isa::Control::kNoScoreboard, isa::Pipe::kShared);
    facts.kind = kind;
    facts.is_long = is_waited_long(facts);
    bits_->issued(kSlot, facts, 10);
    EXPECT_EQ(blocker(waits_for(1), 12), WarpState::kLongScoreboard);
    bits_->result_ready(kSlot, facts, 12);
    EXPECT_EQ(blocker(waits_for(1), 12), WarpState::kSelected);
  }
}

TEST_F(ControlBits, WhatAFenceOfTheBlockHoldsIsALongScoreboard) {
  Facts fence = sets(isa::Control::kNoScoreboard, 2, isa::Pipe::kShared);
  fence.fences_block = true;
  fence.is_long = is_waited_long(fence);
  bits_->issued(kSlot, fence, 10);
  EXPECT_EQ(blocker(waits_for(0b100), 12), WarpState::kLongScoreboard);
  bits_->sources_read(kSlot, fence, 17);
  EXPECT_EQ(blocker(waits_for(0b100), 17), WarpState::kSelected);
}

TEST_F(ControlBits, ChangesThatAreTakenLateCountInTheOrderOfTheirCycles) {
  const Facts load = sets(0, isa::Control::kNoScoreboard, isa::Pipe::kGlobal);
  bits_->issued(kSlot, load, 10);
  bits_->result_ready(kSlot, load, 20);
  bits_->issued(kSlot, sets(0), 28);
  EXPECT_EQ(blocker(waits_for(1), 40), WarpState::kShortScoreboard);
}

TEST_F(ControlBits, AScoreboardIsLongUntilItIsZero) {
  const Facts load = sets(0, isa::Control::kNoScoreboard, isa::Pipe::kGlobal);
  bits_->issued(kSlot, load, 10);
  bits_->issued(kSlot, sets(0), 13);
  EXPECT_EQ(blocker(waits_for(0b01), 15), WarpState::kLongScoreboard);
  bits_->result_ready(kSlot, load, 20);
  EXPECT_EQ(blocker(waits_for(0b01), 21), WarpState::kLongScoreboard);
  bits_->result_ready(kSlot, sets(0), 22);
  EXPECT_EQ(blocker(waits_for(0b01), 22), WarpState::kSelected);
  bits_->issued(kSlot, sets(0), 30);
  EXPECT_EQ(blocker(waits_for(0b01), 32), WarpState::kShortScoreboard);
}

TEST_F(ControlBits, WarpsHaveScoreboardsOfTheirOwn) {
  bits_->issued(kSlot, sets(0), 10);
  EXPECT_EQ(blocker(waits_for(1), 12, kSlot + 1), WarpState::kSelected);
  EXPECT_EQ(blocker(waits_for(1), 12), WarpState::kShortScoreboard);
}

TEST_F(ControlBits, ANewWarpFindsItsScoreboardsClear) {
  bits_->issued(kSlot, sets(0), 10);
  EXPECT_EQ(blocker(waits_for(1), 12), WarpState::kShortScoreboard);
  bits_->reset(kSlot);
  EXPECT_EQ(blocker(waits_for(1), 13), WarpState::kSelected);
  EXPECT_EQ(blocker(depbar(0, 0), 13), WarpState::kSelected);
}

TEST_F(ControlBits, ANewWarpHearsNothingOfWhatWasBeforeIt) {
  bits_->issued(kSlot, sets(1, 0), 10);
  bits_->issued(kSlot + 1, sets(0), 10);
  bits_->result_ready(kSlot, sets(1, 0), 12);
  bits_->sources_read(kSlot, sets(1, 0), 30);
  bits_->result_ready(kSlot + 1, sets(0), 40);
  bits_->update(20);
  bits_->issued(kSlot, sets(1), 20);  // is not yet seen
  bits_->reset(kSlot);
  EXPECT_EQ(blocker(waits_for(0b11), 30), WarpState::kSelected);
  EXPECT_EQ(blocker(depbar(0, 0), 30), WarpState::kSelected);
  EXPECT_EQ(blocker(waits_for(1), 39, kSlot + 1), WarpState::kShortScoreboard);
  EXPECT_EQ(blocker(waits_for(1), 40, kSlot + 1), WarpState::kSelected);
}

TEST_F(ControlBits, AreToldOnlyOfWhatTheyNeed) {
  const DependenceNeeds math = bits_->needs(Facts{});
  EXPECT_FALSE(math.asks != 0 || math.issue || math.results);
  EXPECT_TRUE(bits_->needs(waits_for(1)).asks != 0);
  EXPECT_TRUE(bits_->needs(depbar(0, 0)).asks != 0);
  EXPECT_FALSE(bits_->needs(waits_for(1)).issue);
  for (const Facts& facts : {sets(0), sets(isa::Control::kNoScoreboard, 0)}) {
    EXPECT_TRUE(bits_->needs(facts).issue);
    EXPECT_TRUE(bits_->needs(facts).results);
  }
}

class ControlBitsAtOnce : public ControlBits {
 protected:
  ControlBitsAtOnce() : ControlBits(0) {}
};

TEST_F(ControlBitsAtOnce, WithoutADelayAScoreboardIsSetInTheCycleOfTheIssue) {
  bits_->issued(kSlot, sets(0), 10);
  EXPECT_EQ(bits_->blocker(kSlot, waits_for(1), 10), WarpState::kShortScoreboard);
}

class ControlBitsLate : public ControlBits {
 protected:
  ControlBitsLate() : ControlBits(8) {}
};

TEST_F(ControlBitsLate, AReleaseMayComeBeforeItsSetIsSeen) {
  bits_->issued(kSlot, sets(0), 10);
  bits_->result_ready(kSlot, sets(0), 12);
  EXPECT_EQ(bits_->update(12), slot_bit(kSlot));
  EXPECT_EQ(bits_->due(), 18u);
  EXPECT_EQ(blocker(waits_for(1), 18), WarpState::kSelected);
  EXPECT_EQ(blocker(depbar(0, 0), 18), WarpState::kSelected);
  EXPECT_EQ(bits_->due(), kNever);
}

}  // namespace control_bits_test
}  // namespace shflsim::model
