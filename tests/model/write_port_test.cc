// SPDX-License-Identifier: Apache-2.0
#include "model/mio/write_port.h"

#include <gtest/gtest.h>

#include <vector>

namespace shflsim::model {
namespace write_port_test {

constexpr uint32_t kDistance = 7;
constexpr uint32_t kPatience = 5;
constexpr uint16_t kEven = 1;
constexpr uint16_t kOdd = 2;

class WritePortOfTwoBanks : public ::testing::Test {
 protected:
  /// Adds a result of `registers` registers, from R4 on, whose last beat comes in cycle 30.
  void wait_for_thirty(uint8_t registers, uint32_t beats = 1) {
    facts_.footprint.first_write = 4;
    facts_.footprint.write_count = registers;
    MioRequest request;
    request.facts = &facts_;
    MioCompletion completion;
    completion.result = 30;
    completion.beats = beats;
    port_.wait(request, completion);
  }
  /// Math of these banks issues in each of the cycles.
  void issue_math(uint16_t banks, Cycle first, Cycle last) {
    for (Cycle now = first; now <= last; ++now) port_.issued(banks, now);
  }
  /// The cycles of the results that come by now.
  std::vector<Cycle> decide(Cycle now) {
    std::vector<Cycle> come;
    port_.decide(now, [&](const WritePort::Result& r) { come.push_back(r.completion.result); });
    return come;
  }

  Facts facts_;
  WritePort port_{"write_port", {kDistance, kPatience, 2, 10, 9, 3, 12, 8}};
};

TEST_F(WritePortOfTwoBanks, AResultComesInTimeWhereNoMathWrites) {
  wait_for_thirty(1);
  EXPECT_EQ(port_.due(), 30u);
  EXPECT_TRUE(decide(29).empty());
  EXPECT_EQ(decide(30), std::vector<Cycle>{30});
  EXPECT_EQ(port_.due(), kNever);
}

TEST_F(WritePortOfTwoBanks, AResultComesInTimeWhereMathWritesTheOtherBank) {
  wait_for_thirty(1);
  port_.issued(kOdd, 23);
  EXPECT_EQ(decide(30), std::vector<Cycle>{30});
}

TEST_F(WritePortOfTwoBanks, AResultWaitsWhileMathWritesItsBank) {
  wait_for_thirty(1);
  port_.issued(kEven, 23);
  port_.issued(kEven, 24);
  port_.issued(kOdd, 25);
  EXPECT_TRUE(decide(30).empty());
  EXPECT_EQ(port_.due(), 31u);
  EXPECT_TRUE(decide(31).empty());
  EXPECT_EQ(decide(32), std::vector<Cycle>{32});
}

TEST_F(WritePortOfTwoBanks, ABeatOfTwoRegistersNeedsBothBanks) {
  wait_for_thirty(2);
  port_.issued(kOdd, 23);
  EXPECT_TRUE(decide(30).empty());
  EXPECT_EQ(decide(31), std::vector<Cycle>{31});
}

TEST_F(WritePortOfTwoBanks, MathOfOtherCyclesIsNotInTheWay) {
  wait_for_thirty(1);
  port_.issued(kEven, 22);
  port_.issued(kEven, 24);
  EXPECT_EQ(decide(30), std::vector<Cycle>{30});
}

TEST_F(WritePortOfTwoBanks, MathThatStandsStillWritesLater) {
  wait_for_thirty(1);
  port_.issued(kEven, 21);
  port_.stand_still(2);
  EXPECT_TRUE(decide(30).empty());
  EXPECT_EQ(decide(31), std::vector<Cycle>{31});
}

TEST_F(WritePortOfTwoBanks, BeatsOfOneRegisterNeedOneBankEach) {
  wait_for_thirty(2, 2);
  EXPECT_EQ(port_.due(), 29u);
  port_.issued(kOdd, 22);   // writes in cycle 29, when R4 comes
  port_.issued(kEven, 23);  // and in 30, when R5 comes
  EXPECT_TRUE(decide(29).empty());
  EXPECT_EQ(decide(30), std::vector<Cycle>{30});
}

TEST_F(WritePortOfTwoBanks, ALateBeatDelaysTheNextOne) {
  wait_for_thirty(4, 4);
  issue_math(kOdd, 21, 24);  // R5 waits until 32; R6 and R7 come behind it
  for (Cycle now = 27; now < 34; ++now) EXPECT_TRUE(decide(now).empty());
  EXPECT_EQ(decide(34), std::vector<Cycle>{34});
}

TEST_F(WritePortOfTwoBanks, ResultsComeInOrder) {
  wait_for_thirty(1);
  wait_for_thirty(1);
  port_.issued(kEven, 23);
  EXPECT_TRUE(decide(30).empty());
  EXPECT_EQ(decide(31), std::vector<Cycle>{31});
  EXPECT_EQ(decide(32), std::vector<Cycle>{32});
}

TEST_F(WritePortOfTwoBanks, MathStandsStillForAStarvedResult) {
  wait_for_thirty(1);
  issue_math(kEven, 20, 34);
  for (Cycle now = 30; now < 34; ++now) decide(now);
  EXPECT_FALSE(port_.is_starved());
  decide(34);
  EXPECT_TRUE(port_.is_starved());
  port_.leave_free(34, 3);  // math of 33 and 34 writes in 43 and 44, not in 40 and 41
  EXPECT_FALSE(port_.is_starved());
  for (Cycle now = 35; now < 40; ++now) EXPECT_TRUE(decide(now).empty());
  EXPECT_EQ(decide(40), std::vector<Cycle>{40});
  wait_for_thirty(1);
  EXPECT_EQ(decide(41), std::vector<Cycle>{41});
  wait_for_thirty(1);
  EXPECT_EQ(decide(42), std::vector<Cycle>{42});
  wait_for_thirty(1);
  for (const Cycle now : {Cycle{43}, Cycle{44}}) EXPECT_TRUE(decide(now).empty());
  EXPECT_EQ(decide(45), std::vector<Cycle>{45});
}

TEST_F(WritePortOfTwoBanks, MathGoesOnIfAResultWillCome) {
  wait_for_thirty(1);
  issue_math(kEven, 20, 31);
  for (Cycle now = 30; now < 39; ++now) EXPECT_TRUE(decide(now).empty());
  EXPECT_FALSE(port_.is_starved());
  EXPECT_EQ(decide(39), std::vector<Cycle>{39});
}

class WritePortOfSpecialFunctions : public WritePortOfTwoBanks {
 protected:
  WritePortOfSpecialFunctions() { facts_.pipe = isa::Pipe::kXu; }
  void wait_until(Cycle result) {
    facts_.footprint.first_write = 4;
    facts_.footprint.write_count = 1;
    MioRequest request;
    request.facts = &facts_;
    port_.wait(request, {result, 0});
  }
};

TEST_F(WritePortOfSpecialFunctions, AResultIsSeenInTimeAndTheNextOneLater) {
  wait_until(30);
  wait_until(38);
  port_.issued(kEven, 23);
  port_.issued(kEven, 24);
  EXPECT_EQ(decide(30), std::vector<Cycle>{30});
  EXPECT_EQ(port_.due(), 39u);
  EXPECT_EQ(decide(39), std::vector<Cycle>{39});
}

TEST_F(WritePortOfSpecialFunctions, WhatHasNotStartedIsInTime) {
  wait_until(30);
  wait_until(43);
  port_.issued(kEven, 23);
  EXPECT_EQ(decide(30), std::vector<Cycle>{30});
  EXPECT_EQ(port_.due(), 43u);
}

TEST_F(WritePortOfSpecialFunctions, WhatStartsAsSoonAsItCanIsLater) {
  wait_until(30);
  wait_until(38);
  wait_until(46);
  port_.issued(kEven, 23);
  decide(30);
  EXPECT_EQ(decide(39), std::vector<Cycle>{39});
  EXPECT_EQ(port_.due(), 47u);
}

/// A matrix product whose result has four registers.
Facts product(MatrixProduct matrices) {
  Facts facts;
  facts.matrices = matrices;
  facts.footprint.first_write = 8;
  facts.footprint.write_count = 4;
  return facts;
}

TEST_F(WritePortOfTwoBanks, AResultWaitsForBothWritesOfAMatrixProduct) {
  wait_for_thirty(1);
  port_.product_issued(product(MatrixProduct::kLarge), 20);  // writes in 30 and 31
  for (Cycle now = 30; now < 32; ++now) EXPECT_TRUE(decide(now).empty());
  EXPECT_EQ(decide(32), std::vector<Cycle>{32});
  EXPECT_EQ(port_.banks_of_math(product(MatrixProduct::kSmall)), 0);
}

TEST_F(WritePortOfTwoBanks, MathThatWouldWriteWithAMatrixProductStopsBehindIt) {
  port_.product_issued(product(MatrixProduct::kSmall), 20);  // as math of 22 and 23
  port_.issued(kOdd, 21);
  EXPECT_EQ(port_.stop(), kNever);
  issue_math(kOdd, 22, 23);
  EXPECT_EQ(port_.stop(), 23u);
  EXPECT_EQ(port_.stop_cycles(port_.stop()), 2u);
  port_.leave_free(23, 2);
  EXPECT_EQ(port_.stop(), kNever);
  port_.product_issued(product(MatrixProduct::kSmall), 30);
  port_.issued(kOdd, 33);
  EXPECT_EQ(port_.stop_cycles(port_.stop()), 1u);
}

}  // namespace write_port_test
}  // namespace shflsim::model
