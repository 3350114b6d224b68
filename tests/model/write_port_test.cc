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
  /// The cycles of the results that are decided by now.
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
  EXPECT_EQ(port_.due(), 24u);
  EXPECT_EQ(decide(24), std::vector<Cycle>{30});
  EXPECT_EQ(port_.due(), kNever);
}

TEST_F(WritePortOfTwoBanks, AResultComesInTimeWhereMathWritesTheOtherBank) {
  wait_for_thirty(1);
  port_.issued(kOdd, 23);
  EXPECT_EQ(decide(24), std::vector<Cycle>{30});
}

TEST_F(WritePortOfTwoBanks, AResultWaitsWhileMathWritesItsBank) {
  wait_for_thirty(1);
  port_.issued(kEven, 23);
  EXPECT_TRUE(decide(24).empty());
  EXPECT_EQ(port_.due(), 25u);
  port_.issued(kEven, 24);
  EXPECT_TRUE(decide(25).empty());
  port_.issued(kOdd, 25);
  EXPECT_EQ(decide(26), std::vector<Cycle>{32});
}

TEST_F(WritePortOfTwoBanks, AWideResultNeedsBothBanks) {
  wait_for_thirty(2);
  port_.issued(kOdd, 23);
  EXPECT_TRUE(decide(24).empty());
  EXPECT_EQ(decide(25), std::vector<Cycle>{31});
}

TEST_F(WritePortOfTwoBanks, MathOfOtherCyclesIsNotInTheWay) {
  wait_for_thirty(1);
  port_.issued(kEven, 22);
  port_.issued(kEven, 24);
  EXPECT_EQ(decide(25), std::vector<Cycle>{30});
}

}  // namespace write_port_test
}  // namespace shflsim::model
