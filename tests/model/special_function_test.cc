// SPDX-License-Identifier: Apache-2.0
#include "model/special_function/special_function.h"

#include <gtest/gtest.h>

#include "tests/model/facts_of_text.h"

namespace shflsim::model {
namespace special_function_test {

SpecialFunctionParams params() {
  SpecialFunctionParams params;
  params.latency = 14;
  params.interval = 4;
  params.wide_latency = 16;
  params.wide_interval = 5;
  params.reduction_latency = 30;
  params.reduction_beats = 2;
  params.match_latency = 20;
  params.match_value = 11;
  params.match_predicate = 5;
  params.predicate_interval = 7;
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

TEST_F(SpecialFunctionTest, AReductionLeavesTheSubPartitionsUnitFree) {
  facts_.kind = isa::OpKind::kReduction;
  EXPECT_EQ(unit_.beats(request_), 2u);
  EXPECT_EQ(unit_.hold(request_, 10), 1u);
  EXPECT_EQ(result(0, 10), 40u);
  EXPECT_EQ(unit_.free_from(0, 10), 10u);
}

TEST_F(SpecialFunctionTest, ReductionsOfAllSubPartitionsTakeTurns) {
  facts_.kind = isa::OpKind::kReduction;
  EXPECT_EQ(result(0, 10), 40u);
  EXPECT_EQ(result(1, 11), 42u);
  EXPECT_EQ(result(2, 11), 44u);
  EXPECT_EQ(result(0, 30), 60u);
}

TEST_F(SpecialFunctionTest, F1WideLatencyActsOnConversionsFrom64Bits) {
  Cycle now = 10;
  for (const char* text : {"F2I.F64.TRUNC R0, R2", "I2F.U64 R0, R2", "I2F.F64.S64 R0, R2",
                           "FRND.F64 R0, R2", "F2I.F64 R0, c[0x0][0x8]"}) {
    facts_ = facts_of_text(text);
    EXPECT_EQ(result(0, now), now + 16) << text;
    EXPECT_EQ(unit_.free_from(0, now), now + 5) << text;
    now += 5;
  }
}

TEST_F(SpecialFunctionTest, F1WideLatencyLeavesWhatReadsTwoRegistersOf32Bits) {
  Cycle now = 10;
  for (const char* text : {"FCHK P0, R1, R2", "F2F.F32.F64 R0, R2", "F2I.S64 R0, R2",
                           "I2F.F64 R0, R2", "MUFU.RCP64H R0, R3"}) {
    facts_ = facts_of_text(text);
    EXPECT_EQ(result(0, now), now + 14) << text;
    EXPECT_EQ(unit_.free_from(0, now), now + 4) << text;
    now += 4;
  }
}

TEST_F(SpecialFunctionTest, AMatchTakesTheLanesValuesOneAfterTheOther) {
  facts_.kind = isa::OpKind::kMatch;
  facts_.match_words = 1;
  EXPECT_EQ(result(0, 10), 30u);
  request_.wavefronts = 4;
  EXPECT_EQ(result(0, 20), 73u);
  facts_.match_words = 2;  // 4 cycles more, and 2 for each further value
  EXPECT_EQ(result(0, 60), 123u);
}

TEST_F(SpecialFunctionTest, ValuesOfSeveralMatchesTakeTheUnitInTurns) {
  facts_.kind = isa::OpKind::kMatch;
  facts_.match_words = 1;
  request_.wavefronts = 4;  // 10, 21, 32, 43
  EXPECT_EQ(result(0, 10), 63u);
  EXPECT_EQ(result(1, 11), 65u);  // 12, 23, 34, 45; then from 14, 16 and 18 on:
  for (const Cycle expected : {67u, 69u, 71u}) EXPECT_EQ(result(2, 12), expected);
}

TEST_F(SpecialFunctionTest, PredicatesOfMatchesComeLaterAndOneAfterTheOther) {
  facts_.kind = isa::OpKind::kMatch;
  facts_.match_words = 1;
  facts_.footprint.predicates_written = 1;
  EXPECT_EQ(result(0, 10), 35u);
  EXPECT_EQ(result(0, 12), 42u);
  EXPECT_EQ(result(0, 30), 55u);
  EXPECT_EQ(result(1, 32), 57u);
}

TEST(SpecialFunctionBehindAReader, IssuesWhileOneHasNotLeftAndReadsBehindTheStartOfTheLast) {
  SpecialFunctionParams reads = params();
  reads.lead = 5;
  reads.next_operands = 3;
  reads.release = 9;
  SpecialFunction unit("special_function", reads);
  Facts facts;
  MioRequest request;
  request.facts = &facts;
  unit.announce(0);
  EXPECT_EQ(unit.operands_from(0), 0u);
  EXPECT_EQ(unit.free_from(0, 11), 11u);
  unit.announce(0);
  EXPECT_EQ(unit.free_from(0, 12), 13u);  // neither has started
  EXPECT_EQ(unit.start(0, request, 10).result, 24u);
  EXPECT_EQ(unit.operands_from(0), 10u + 5 + 3);
  EXPECT_EQ(unit.released(0), 10u + 5 + 9);
  EXPECT_EQ(unit.free_from(0, 13), 10u + 4 + 5);  // when the first one has left
  EXPECT_EQ(unit.start(0, request, 13).result, 28u);
  EXPECT_EQ(unit.free_from(0, 14), 10u + 4 + 5);
  EXPECT_EQ(unit.operands_from(0), 14u + 5 + 3);
}

TEST(SpecialFunctionOfOldChips, WhatHasNoTimeOfItsOwnTakesAsLongAsOthers) {
  SpecialFunctionParams same = params();
  same.wide_latency = same.wide_interval = same.reduction_beats = 0;
  SpecialFunction unit("special_function", same);
  Facts facts;
  facts.converts_wide = true;
  MioRequest request;
  request.facts = &facts;
  EXPECT_EQ(unit.start(0, request, 10).result, 24u);
  facts.converts_wide = false;
  facts.kind = isa::OpKind::kReduction;
  EXPECT_EQ(unit.start(0, request, 14).result, 44u);
  EXPECT_EQ(unit.free_from(0, 14), 18u);
}

}  // namespace special_function_test
}  // namespace shflsim::model
