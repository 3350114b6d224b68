// SPDX-License-Identifier: Apache-2.0
#include "model/mio/write_port.h"

#include <gtest/gtest.h>

#include <vector>

namespace shflsim::model {
namespace write_port_test {

constexpr uint32_t kDistance = 7;
constexpr uint16_t kEven = 1;
constexpr uint16_t kOdd = 2;

class WritePortOfTwoBanks : public ::testing::Test {
 protected:
  /// Adds a result of `registers` registers, from R4 on, in cycle 30.
  void wait_for_thirty(uint8_t registers) {
    facts_.footprint.first_write = 4;
    facts_.footprint.write_count = registers;
    MioRequest request;
    request.facts = &facts_;
    MioCompletion completion;
    completion.result = 30;
    port_.wait(request, completion);
  }
  /// The cycles of the results that come by now.
  std::vector<Cycle> decide(Cycle now) {
    std::vector<Cycle> come;
    port_.decide(now, [&](const WritePort::Result& r) { come.push_back(r.completion.result); });
    return come;
  }

  Facts facts_;
  WritePort port_{"write_port", kDistance, 2};
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

TEST_F(WritePortOfTwoBanks, AWideResultNeedsBothBanks) {
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

}  // namespace write_port_test
}  // namespace shflsim::model
