// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <initializer_list>
#include <ostream>

#include "model/dependence/dependence.h"

namespace shflsim::model {
namespace scoreboard_test {

constexpr unsigned kSlot = 5;

MathLatencies latencies() {
  MathLatencies latencies;
  latencies.math = 6;
  latencies.shared = 4;
  latencies.global = 2;
  latencies.predicate = 13;
  latencies.double_precision = 48;
  latencies.small_matrix = 14;
  latencies.matrix = 16;
  latencies.large_matrix = 24;
  return latencies;
}

Facts reads(std::initializer_list<uint8_t> registers, isa::Pipe pipe = isa::Pipe::kFmai) {
  Facts facts;
  facts.pipe = pipe;
  for (const uint8_t index : registers)
    facts.footprint.reads[facts.footprint.read_count++].index = index;
  return facts;
}

Facts writes(uint8_t first, uint8_t count = 1, isa::Pipe pipe = isa::Pipe::kFmai) {
  Facts facts;
  facts.pipe = pipe;
  facts.footprint.first_write = first;
  facts.footprint.write_count = count;
  return facts;
}

class Scoreboard : public ::testing::Test {
 protected:
  WarpState blocker(const Facts& facts, Cycle now, unsigned slot = kSlot) {
    board_->update(now);
    return board_->blocker(slot, with_bits(facts), now);
  }
  static Facts with_bits(Facts facts) {
    facts.bits = register_bits(facts.footprint);
    return facts;
  }
  void issue(const Facts& facts, Cycle now) { board_->issued(kSlot, with_bits(facts), now); }
  void sources_read(const Facts& facts, Cycle cycle) {
    board_->sources_read(kSlot, with_bits(facts), cycle);
  }
  void result_ready(const Facts& facts, Cycle cycle) {
    board_->result_ready(kSlot, with_bits(facts), cycle);
  }
  /// Expects the warp to be free first in cycle `free`, and `state` to block it a cycle before.
  void expect_wait(const Facts& facts, Cycle free, WarpState state) {
    EXPECT_EQ(blocker(facts, free - 1), state);
    EXPECT_EQ(blocker(facts, free), WarpState::kSelected);
  }
  const std::unique_ptr<Dependence> board_ = make_scoreboard("dependence", latencies());
};

TEST_F(Scoreboard, AReaderWaitsForAProductOfMatricesByItsFirstFactor) {
  const auto product = [](uint8_t registers_of_factor, uint8_t result) {
    Facts facts = writes(result, 4, isa::Pipe::kTensor);
    facts.matrices = MatrixProduct::kSmall;
    facts.footprint.reads[0] = {100, registers_of_factor};
    facts.footprint.read_count = 1;
    return facts;
  };
  issue(product(1, 4), 10);
  issue(product(2, 8), 10);
  issue(product(4, 12), 10);
  expect_wait(reads({7}, isa::Pipe::kTensor), 24, WarpState::kWait);
  expect_wait(reads({8}), 26, WarpState::kWait);
  expect_wait(reads({15}), 34, WarpState::kWait);
  issue(writes(4, 1, isa::Pipe::kTensor), 50);  // HFMA2.MMA
  expect_wait(reads({4}), 56, WarpState::kWait);
}

TEST_F(Scoreboard, AReaderWaitsForTheResultOfMath) {
  issue(writes(4), 10);
  EXPECT_EQ(blocker(reads({4}), 11), WarpState::kWait);
  EXPECT_EQ(board_->due(), 16u);
  EXPECT_EQ(board_->update(15), 0u);
  EXPECT_EQ(board_->update(16), slot_bit(kSlot));
  EXPECT_EQ(blocker(reads({4}), 16), WarpState::kSelected);
  EXPECT_EQ(blocker(reads({3, 5}), 11), WarpState::kSelected);
}

TEST_F(Scoreboard, AWriterWaitsForTheWriterBefore) {
  issue(writes(4), 10);
  expect_wait(writes(4), 16, WarpState::kWait);
}

TEST_F(Scoreboard, AWideResultIsAllOfItsRegisters) {
  issue(writes(4, 4), 10);
  EXPECT_EQ(blocker(reads({3}), 11), WarpState::kSelected);
  EXPECT_EQ(blocker(reads({8}), 11), WarpState::kSelected);
  expect_wait(reads({7}), 16, WarpState::kWait);
}

TEST_F(Scoreboard, APredicateTakesLonger) {
  Facts sets_p2;
  sets_p2.footprint.predicates_written = 1u << 2;
  Facts guarded_by_p2;
  guarded_by_p2.footprint.predicates_read = 1u << 2;
  Facts guarded_by_p3;
  guarded_by_p3.footprint.predicates_read = 1u << 3;
  issue(sets_p2, 10);
  EXPECT_EQ(blocker(guarded_by_p3, 11), WarpState::kSelected);
  EXPECT_EQ(blocker(sets_p2, 22), WarpState::kWait);
  expect_wait(guarded_by_p2, 23, WarpState::kWait);
}

TEST_F(Scoreboard, ACarryIsAsFastAsARegister) {
  Facts adds;
  adds.footprint.writes_carry = true;
  Facts adds_with_carry;
  adds_with_carry.footprint.reads_carry = true;
  issue(adds, 10);
  EXPECT_EQ(blocker(Facts{}, 11), WarpState::kSelected);
  expect_wait(adds_with_carry, 16, WarpState::kWait);
}

TEST_F(Scoreboard, TheResultOfAUnitIsWaitedForUntilItIsHeardOf) {
  const Facts shuffle = writes(4, 1, isa::Pipe::kShuffle);
  issue(shuffle, 10);
  EXPECT_EQ(blocker(reads({4}), 1000), WarpState::kShortScoreboard);
  EXPECT_EQ(board_->due(), kNever);
  result_ready(shuffle, 1030);
  EXPECT_EQ(board_->update(1001), slot_bit(kSlot));
  expect_wait(reads({4}), 1030, WarpState::kShortScoreboard);
}

TEST_F(Scoreboard, TheResultOfGlobalMemoryIsALongScoreboard) {
  const Facts load = writes(4, 1, isa::Pipe::kGlobal);
  issue(load, 10);
  EXPECT_EQ(blocker(reads({4}), 11), WarpState::kLongScoreboard);
  result_ready(load, 210);
  expect_wait(reads({4}), 210, WarpState::kLongScoreboard);
}

TEST_F(Scoreboard, AResultInDoublePrecisionIsThereWhenItIsHeardOf) {
  const Facts adds = writes(4, 2, isa::Pipe::kDouble);
  issue(adds, 10);
  result_ready(adds, 58);
  expect_wait(reads({5}), 58, WarpState::kShortScoreboard);
}

TEST_F(Scoreboard, AWriterWaitsForAUnitThatHasStillToRead) {
  const Facts shuffle = reads({2}, isa::Pipe::kShuffle);
  issue(shuffle, 10);
  EXPECT_EQ(blocker(reads({2}), 11), WarpState::kSelected);
  EXPECT_EQ(blocker(writes(2), 11), WarpState::kShortScoreboard);
  sources_read(shuffle, 18);
  expect_wait(writes(2), 18, WarpState::kShortScoreboard);
}

TEST_F(Scoreboard, AWriterWaitsForTheLastOfTwoReaders) {
  const Facts shuffle = reads({2}, isa::Pipe::kShuffle);
  issue(shuffle, 10);
  issue(shuffle, 11);
  sources_read(shuffle, 18);
  sources_read(shuffle, 25);
  expect_wait(writes(2), 25, WarpState::kShortScoreboard);
}

TEST_F(Scoreboard, AReaderDoesNotHideAnotherThatHasStillToRead) {
  const Facts shuffle = reads({2}, isa::Pipe::kShuffle);
  const Facts adds = reads({2}, isa::Pipe::kDouble);
  issue(shuffle, 10);
  issue(shuffle, 11);
  issue(adds, 12);
  sources_read(adds, 13);
  EXPECT_EQ(blocker(writes(2), 14), WarpState::kShortScoreboard);
  sources_read(shuffle, 18);
  EXPECT_EQ(blocker(writes(2), 24), WarpState::kShortScoreboard);
  sources_read(shuffle, 25);
  expect_wait(writes(2), 25, WarpState::kShortScoreboard);
}

TEST_F(Scoreboard, MathReadsInTimeForAnyWriter) {
  issue(reads({2}), 10);
  EXPECT_EQ(blocker(writes(2), 10), WarpState::kSelected);
}

struct Sooner {
  isa::Pipe reader;
  Cycle cycle;
};

void PrintTo(const Sooner& sooner, std::ostream* out) { *out << isa::pipe_name(sooner.reader); }

class ScoreboardSooner : public Scoreboard, public ::testing::WithParamInterface<Sooner> {};

TEST_P(ScoreboardSooner, IssuesAsItReadsItsOperands) {
  issue(writes(4), 10);
  expect_wait(reads({4}, GetParam().reader), GetParam().cycle, WarpState::kWait);
}

TEST_P(ScoreboardSooner, IsNoSoonerWhereItWrites) {
  issue(writes(4), 10);
  expect_wait(writes(4, 1, GetParam().reader), 16, WarpState::kWait);
}

TEST_P(ScoreboardSooner, IsNoSoonerBehindAUnit) {
  const Facts shuffle = writes(4, 1, isa::Pipe::kShuffle);
  issue(shuffle, 10);
  result_ready(shuffle, 30);
  expect_wait(reads({4}, GetParam().reader), 30, WarpState::kShortScoreboard);
}

INSTANTIATE_TEST_SUITE_P(
    Pipes, ScoreboardSooner,
    ::testing::Values(Sooner{isa::Pipe::kShuffle, 14}, Sooner{isa::Pipe::kShared, 14},
                      Sooner{isa::Pipe::kDouble, 14}, Sooner{isa::Pipe::kGlobal, 12},
                      Sooner{isa::Pipe::kXu, 12}, Sooner{isa::Pipe::kSpecial, 16}));

TEST_F(Scoreboard, TheLongestWaitSaysWhatItIsFor) {
  const Facts shuffle = writes(4, 1, isa::Pipe::kShuffle);
  issue(shuffle, 10);
  result_ready(shuffle, 20);
  issue(writes(5), 18);
  EXPECT_EQ(blocker(reads({4, 5}), 19), WarpState::kWait);
  EXPECT_EQ(board_->due(), 24u);
}

TEST_F(Scoreboard, WarpsHaveRegistersOfTheirOwn) {
  issue(writes(4), 10);
  EXPECT_EQ(blocker(reads({4}), 11, kSlot + 1), WarpState::kSelected);
}

TEST_F(Scoreboard, ANewWarpWaitsForNothing) {
  issue(writes(4), 10);
  board_->reset(kSlot);
  EXPECT_EQ(blocker(reads({4}), 11), WarpState::kSelected);
}

TEST_F(Scoreboard, KnowsResultsOfFixedLatencyAtTheIssue) {
  EXPECT_FALSE(board_->needs(reads({}, isa::Pipe::kFmai)).results);
  EXPECT_TRUE(board_->needs(reads({}, isa::Pipe::kFmai)).issue);
  EXPECT_TRUE(board_->needs(reads({}, isa::Pipe::kDouble)).results);
  EXPECT_TRUE(board_->needs(reads({}, isa::Pipe::kGlobal)).results);
}

}  // namespace scoreboard_test
}  // namespace shflsim::model
