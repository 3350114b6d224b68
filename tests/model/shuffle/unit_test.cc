// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/shuffle_unit.h"

#include <gtest/gtest.h>

#include "tests/model/shuffle/patterns.h"

namespace shflsim::model {
namespace shuffle_unit_test {

constexpr uint32_t kLatency = 24;

ShuffleParams one_unit() {
  ShuffleParams params;
  params.latency = kLatency;
  params.lanes = isa::kLanes;
  params.cluster = 4;
  params.pipelined = 1;
  params.interval = 1;
  return params;
}

/// Units whose only SHFL is a rotation by one lane: 1 pass on a crossbar, 2 by half outputs.
class Units {
 public:
  explicit Units(const ShuffleParams& params, const char* network = "crossbar")
      : unit_("shuffle", params, test::make_network(network), maps_) {
    request_.facts = &facts_;
    request_.payload = 0;
    for (unsigned s = 0; s < kSubPartitions; ++s) unit_.pipe[s].bind(pipes_[unit_.unit_of(s)]);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  Cycle free_from(unsigned sub_partition, Cycle now) const {
    return unit_.free_from(sub_partition, now);
  }
  Cycle result(unsigned sub_partition, Cycle now) {
    return unit_.start(sub_partition, request_, now).result;
  }
  MioCompletion without_lanes(Cycle now) {
    MioRequest request = request_;
    request.payload = traces::Step::kNone;
    return unit_.start(0, request, now);
  }
  MioCompletion with_predicate(Cycle now) {
    Facts facts;
    facts.footprint.predicates_written = 1;
    MioRequest request = request_;
    request.facts = &facts;
    return unit_.start(0, request, now);
  }
  UnitStats stats() const { return unit_.stats(kNever); }
  /// Passes, port conflicts and undefined reads so far.
  std::vector<uint64_t> counted() const {
    isa::Code code;
    code.lines.resize(1);
    code.lines[0].pipe = isa::Pipe::kShuffle;
    std::vector<StatColumn> columns;
    unit_.counts().add_to(code, &columns);
    std::vector<uint64_t> values;
    for (const StatColumn& column : columns) values.push_back(column.values.at(0));
    return values;
  }
  Cycle pipe_free(unsigned unit) const { return pipes_[unit].free(); }

 private:
  const std::vector<isa::LaneMap> maps_ = {
      test::map_of([](unsigned lane) { return (lane + 1) % 32; })};
  const Facts facts_{};
  std::array<InOrderPipe, kSubPartitions> pipes_{InOrderPipe("pipe0"), InOrderPipe("pipe1"),
                                                 InOrderPipe("pipe2"), InOrderPipe("pipe3")};
  MioRequest request_;
  ShuffleUnit unit_;
};

TEST(ShuffleUnit, TakesAPassACycleFromAllSubPartitions) {
  Units units(one_unit());
  EXPECT_EQ(units.result(0, 10), 10 + kLatency);
  for (unsigned s = 0; s < kSubPartitions; ++s) EXPECT_EQ(units.free_from(s, 10), 11u);
  EXPECT_EQ(units.pipe_free(0), 11u);
  EXPECT_EQ(units.stats().instances, 1u);
}

TEST(ShuffleUnit, IsHeldForAsManyCyclesAsPasses) {
  Units units(one_unit(), "half_outputs");
  EXPECT_EQ(units.result(0, 10), 11 + kLatency);
  EXPECT_EQ(units.free_from(3, 10), 12u);
  EXPECT_EQ(units.stats().busy, 2u);
}

TEST(ShuffleUnit, IsPrivateToAClusterOfSubPartitions) {
  ShuffleParams params = one_unit();
  params.cluster = 2;
  Units units(params);
  units.result(1, 10);
  EXPECT_EQ(units.free_from(0, 10), 11u);
  EXPECT_EQ(units.free_from(1, 10), 11u);
  EXPECT_EQ(units.free_from(2, 10), 10u);
  EXPECT_EQ(units.free_from(3, 10), 10u);
  EXPECT_EQ(units.result(2, 10), 10 + kLatency);
  EXPECT_EQ(units.pipe_free(0), 11u);
  EXPECT_EQ(units.pipe_free(1), 11u);
  EXPECT_EQ(units.stats().instances, 2u);
}

TEST(ShuffleUnit, StartsAPassEveryInterval) {
  ShuffleParams params = one_unit();
  params.interval = 3;
  Units units(params, "half_outputs");
  EXPECT_EQ(units.result(0, 10), 13 + kLatency);
  EXPECT_EQ(units.free_from(0, 10), 16u);
}

TEST(ShuffleUnit, ReturnsAPredicateBehindItsResult) {
  ShuffleParams params = one_unit();
  params.predicate_latency = 6;
  Units units(params);
  const MioCompletion completion = units.with_predicate(10);
  EXPECT_EQ(completion.result, 10 + kLatency);
  EXPECT_EQ(completion.later, 6u);
}

TEST(ShuffleUnit, WaitsForItsResultWhereItIsNotPipelined) {
  ShuffleParams params = one_unit();
  params.pipelined = 0;
  Units units(params);
  EXPECT_EQ(units.result(0, 10), 10 + kLatency);
  EXPECT_EQ(units.free_from(0, 11), 10 + kLatency);
}

TEST(ShuffleUnit, TakesShufflesAheadIntoItsQueue) {
  ShuffleParams params = one_unit();
  params.interval = 5;
  params.queue_depth = 2;
  Units units(params);
  EXPECT_EQ(units.result(0, 10), 10 + kLatency);
  EXPECT_EQ(units.free_from(1, 10), 10u);
  EXPECT_EQ(units.result(1, 10), 15 + kLatency);
  EXPECT_EQ(units.free_from(2, 10), 10u);
  EXPECT_EQ(units.result(2, 10), 20 + kLatency);
  EXPECT_EQ(units.free_from(3, 10), 15u);  // the first of the two that wait starts then
  EXPECT_EQ(units.result(3, 15), 25 + kLatency);
  EXPECT_EQ(units.free_from(3, 15), 20u);
}

TEST(ShuffleUnit, TakesAPassForAShuffleThatNoLaneExecutes) {
  Units units(one_unit());
  const MioCompletion completion = units.without_lanes(10);
  EXPECT_EQ(completion.result, 10 + kLatency);
  EXPECT_EQ(units.counted(), (std::vector<uint64_t>{1, 0, 0}));
}

}  // namespace shuffle_unit_test
}  // namespace shflsim::model
