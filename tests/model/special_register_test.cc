// SPDX-License-Identifier: Apache-2.0
#include "model/special_register/special_register.h"

#include <gtest/gtest.h>

namespace shflsim::model {
namespace special_register_test {

SpecialRegisterParams params() {
  SpecialRegisterParams params;
  params.latency = 20;
  params.interval = 3;
  params.constant_latency = 29;
  params.constant_register = 2;
  params.constant_address = 5;
  params.constant_interval = 4;
  return params;
}

class SpecialRegisterTest : public ::testing::Test {
 protected:
  SpecialRegisterTest() { request_.facts = &facts_; }
  Cycle result(unsigned sub_partition, Cycle now) {
    return unit_.start(sub_partition, request_, now).result;
  }
  Facts facts_;
  MioRequest request_;
  SpecialRegister unit_{"special_register", params()};
};

TEST_F(SpecialRegisterTest, IsOneForAllSubPartitions) {
  EXPECT_EQ(result(1, 10), 30u);
  for (unsigned s = 0; s < kSubPartitions; ++s) EXPECT_EQ(unit_.free_from(s, 10), 13u);
  EXPECT_EQ(result(2, 13), 33u);
}

TEST_F(SpecialRegisterTest, AConstantTakesALatencyOfItsOwn) {
  facts_.kind = isa::OpKind::kConstantLoad;
  EXPECT_EQ(result(0, 10), 39u);
}

TEST_F(SpecialRegisterTest, AddressesOfOneWarpKeepTheSubPartitionsNextLoadWaiting) {
  facts_.kind = isa::OpKind::kConstantLoad;
  request_.wavefronts = 4;
  request_.payload = 0;
  EXPECT_EQ(result(0, 10), 54u);
  EXPECT_EQ(result(0, 12), 66u);
  EXPECT_EQ(result(1, 13), 60u);  // the third to be accepted
}

TEST_F(SpecialRegisterTest, RegistersAndConstantsDoNotDelayOneAnother) {
  result(0, 10);
  Facts load;
  load.kind = isa::OpKind::kConstantLoad;
  MioRequest constant;
  constant.facts = &load;
  EXPECT_EQ(unit_.free_for(request_, 1, 11), 13u);
  EXPECT_EQ(unit_.free_for(constant, 1, 11), 11u);
  EXPECT_EQ(unit_.start(1, constant, 11).result, 40u);
  EXPECT_EQ(unit_.free_for(constant, 2, 12), 14u);
  EXPECT_EQ(unit_.free_for(request_, 2, 12), 13u);
  EXPECT_EQ(unit_.hold(request_, 10), 3u);
}

TEST_F(SpecialRegisterTest, AConstantAtARegistersAddressComesLater) {
  facts_.kind = isa::OpKind::kConstantLoad;
  facts_.footprint.read_count = 1;
  EXPECT_EQ(result(0, 10), 41u);
}

}  // namespace special_register_test
}  // namespace shflsim::model
