// SPDX-License-Identifier: Apache-2.0
#include "model/special_function/special_function.h"

#include <gtest/gtest.h>

namespace shflsim::model {
namespace {

SpecialFunctionParams params() {
  SpecialFunctionParams params;
  params.latency = 14;
  params.interval = 4;
  params.reduction_latency = 30;
  return params;
}

class SpecialFunctionTest : public ::testing::Test {
 protected:
  Cycle result(unsigned sub_partition, Cycle now) {
    return unit_.start(sub_partition, request_, now).result;
  }
  Facts facts_;
  MioRequest request_ = [this] {
    MioRequest request;
    request.facts = &facts_;
    return request;
  }();
  SpecialFunction unit_{"special_function", params()};
};

TEST_F(SpecialFunctionTest, HasAUnitForEachSubPartition) {
  EXPECT_EQ(result(1, 10), 24u);
  EXPECT_EQ(unit_.free_from(1, 10), 14u);
  for (const unsigned other : {0u, 2u, 3u}) EXPECT_EQ(unit_.free_from(other, 10), 10u);
}

TEST_F(SpecialFunctionTest, TakesAnInstructionAnInterval) {
  result(0, 10);
  EXPECT_EQ(unit_.free_from(0, 13), 14u);
  EXPECT_EQ(result(0, 14), 28u);
  EXPECT_EQ(unit_.free_from(0, 14), 18u);
  EXPECT_EQ(unit_.hold(request_, 14), 4u);
}

TEST_F(SpecialFunctionTest, AReductionTakesLongerAndIsAsOftenTaken) {
  facts_.is_reduction = true;
  EXPECT_EQ(result(0, 10), 40u);
  EXPECT_EQ(unit_.free_from(0, 10), 14u);
}

}  // namespace
}  // namespace shflsim::model
