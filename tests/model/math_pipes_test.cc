// SPDX-License-Identifier: Apache-2.0
#include "model/math/math_pipes.h"

#include <gtest/gtest.h>

#include <ostream>

#include "model/math/math_latencies.h"

namespace shflsim::model {
namespace math_pipes_test {

/// Parameters in which no two intervals are equal.
MathParams intervals() {
  MathParams params;
  params.fmai_interval = 2;
  params.fxu_interval = 3;
  params.double_interval = 32;
  params.half_interval = 5;
  params.tensor_interval = 6;
  params.multiply_interval = 7;
  params.wide_interval = 8;
  return params;
}

class MathPipesTest : public ::testing::Test {
 protected:
  MathPipes pipes_{"math", intervals()};
};

struct Held {
  isa::Pipe unit;
  Cycle cycles;
};

void PrintTo(const Held& held, std::ostream* out) { *out << "for " << held.cycles; }

class MathPipesHeld : public MathPipesTest, public ::testing::WithParamInterface<Held> {};

TEST_P(MathPipesHeld, AnOperationHoldsItsPipeForItsInterval) {
  EXPECT_EQ(pipes_.free_from(GetParam().unit, 10), 10u);
  pipes_.start(GetParam().unit, 10);
  EXPECT_EQ(pipes_.free_from(GetParam().unit, 10), 10 + GetParam().cycles);
}

INSTANTIATE_TEST_SUITE_P(Kinds, MathPipesHeld,
                         ::testing::Values(Held{isa::Pipe::kFmai, 2}, Held{isa::Pipe::kFxu, 3},
                                           Held{isa::Pipe::kDouble, 32}, Held{isa::Pipe::kHalf, 5},
                                           Held{isa::Pipe::kTensor, 6},
                                           Held{isa::Pipe::kMultiply, 7},
                                           Held{isa::Pipe::kWideMultiply, 8}));

TEST_F(MathPipesTest, OnePipeIsNotInTheWayOfAnother) {
  pipes_.start(isa::Pipe::kDouble, 10);
  for (const isa::Pipe other :
       {isa::Pipe::kFmai, isa::Pipe::kFxu, isa::Pipe::kHalf, isa::Pipe::kTensor})
    EXPECT_EQ(pipes_.free_from(other, 10), 10u);
}

TEST_F(MathPipesTest, ProductsOfIntegersTakeTheMultiplyAddPipe) {
  pipes_.start(isa::Pipe::kMultiply, 10);
  EXPECT_EQ(pipes_.free_from(isa::Pipe::kFmai, 10), 17u);
  pipes_.start(isa::Pipe::kFmai, 17);
  EXPECT_EQ(pipes_.free_from(isa::Pipe::kWideMultiply, 17), 19u);
  EXPECT_EQ(pipes_.free_from(isa::Pipe::kFxu, 17), 17u);
}

TEST_F(MathPipesTest, WhatEitherPipeCanDoTakesTheOneThatHasBeenFreeForLongest) {
  pipes_.start(isa::Pipe::kFmaiFxu, 10);  // the multiply-add pipe, until 12
  EXPECT_EQ(pipes_.free_from(isa::Pipe::kFmai, 10), 12u);
  pipes_.start(isa::Pipe::kFmaiFxu, 10);  // the fixed-point pipe, until 13
  EXPECT_EQ(pipes_.free_from(isa::Pipe::kFxu, 10), 13u);
  EXPECT_EQ(pipes_.free_from(isa::Pipe::kFmaiFxu, 10), 12u);
  pipes_.start(isa::Pipe::kFmaiFxu, 20);
  pipes_.start(isa::Pipe::kFmaiFxu, 20);
  EXPECT_EQ(pipes_.free_from(isa::Pipe::kFmai, 20), 22u);
  EXPECT_EQ(pipes_.free_from(isa::Pipe::kFxu, 20), 23u);
}

TEST_F(MathPipesTest, AFreezeHoldsBusyPipesForLonger) {
  pipes_.start(isa::Pipe::kFmai, 10);
  pipes_.start(isa::Pipe::kFxu, 7);
  pipes_.freeze(10, 4);
  EXPECT_EQ(pipes_.free_from(isa::Pipe::kFmai, 10), 12u + 4);
  EXPECT_EQ(pipes_.free_from(isa::Pipe::kFxu, 10), 10u);  // already free again
  EXPECT_EQ(pipes_.free_from(isa::Pipe::kHalf, 10), 10u);
}

/// Two multiply-add pipes that an operation holds for two cycles, as on an H100.
MathParams with_light_pipe() {
  MathParams params = intervals();
  params.light_pipe = 1;
  params.half_interval = params.multiply_interval = 2;
  return params;
}

TEST(MathPipes, SinglePrecisionTakesTheLightPipeWhereItIsFree) {
  MathPipes pipes("math", with_light_pipe());
  pipes.start(isa::Pipe::kFmai, 10);
  EXPECT_EQ(pipes.free_from(isa::Pipe::kFmai, 10), 10u);
  EXPECT_EQ(pipes.free_from(isa::Pipe::kMultiply, 10), 10u);
  EXPECT_EQ(pipes.free_from(isa::Pipe::kHalf, 10), 12u);
  pipes.start(isa::Pipe::kFmai, 11);  // the other one
  EXPECT_EQ(pipes.free_from(isa::Pipe::kFmai, 11), 12u);
  EXPECT_EQ(pipes.free_from(isa::Pipe::kWideMultiply, 11), 13u);
  pipes.freeze(11, 4);
  EXPECT_EQ(pipes.free_from(isa::Pipe::kFmai, 12), 16u);
  EXPECT_EQ(pipes.free_from(isa::Pipe::kMultiply, 12), 17u);
  EXPECT_EQ(pipes.stats(static_cast<unsigned>(isa::Pipe::kFmai), 20).instances, 2u);
}

TEST(MathPipes, HalfPrecisionTakesBothMultiplyAddPipes) {
  MathPipes pipes("math", with_light_pipe());
  pipes.start(isa::Pipe::kHalf, 10);
  EXPECT_EQ(pipes.free_from(isa::Pipe::kFmai, 10), 12u);
  EXPECT_EQ(pipes.free_from(isa::Pipe::kMultiply, 10), 12u);
  pipes.start(isa::Pipe::kMultiply, 12);
  EXPECT_EQ(pipes.free_from(isa::Pipe::kFmai, 12), 12u);
  EXPECT_EQ(pipes.free_from(isa::Pipe::kHalf, 12), 14u);
}

TEST(MathLatencies, AreThoseOfWhatIsWritten) {
  MathLatencies latencies;
  latencies.math = 6;
  latencies.predicate = 13;
  latencies.double_precision = 48;
  Facts facts;
  facts.footprint.write_count = 1;
  EXPECT_EQ(latencies.of(facts), 6u);
  facts.footprint.predicates_written = 1;
  EXPECT_EQ(latencies.of(facts), 6u);
  facts.footprint.write_count = 0;
  EXPECT_EQ(latencies.of(facts), 13u);
  facts.pipe = isa::Pipe::kDouble;
  EXPECT_EQ(latencies.of(facts), 48u);
}

}  // namespace math_pipes_test
}  // namespace shflsim::model
