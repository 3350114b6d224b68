// SPDX-License-Identifier: Apache-2.0
// Hardware that determines a network's settings by itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "model/shuffle/benes_routing.h"
#include "model/shuffle/shuffle_unit.h"
#include "tests/model/shuffle/patterns.h"

namespace shflsim::model {
namespace shuffle_set_up_test {

using isa::LaneMap;
using test::make_network;
using test::Settings;

const Settings kByBits = {{"shuffle.butterfly.routing", "destination_bits"},
                          {"shuffle.butterfly_pair.routing", "destination_bits"},
                          {"shuffle.omega.routing", "destination_bits"}};

TEST(DestinationBits, LetTheLowestLanesValueGoOn) {
  const auto butterfly = make_network("butterfly", kByBits, 4);
  // Lanes 0 and 1 read lanes 0 and 2, which meet after the first switch.
  const Schedule schedule =
      butterfly->route(test::map_of([](unsigned lane) { return lane * 2; }, 0x3, 4));
  ASSERT_EQ(schedule.pass_count(), 2u);
  EXPECT_EQ(schedule.passes[0].deliveries.at(0).lane, 0);
  EXPECT_EQ(schedule.passes[1].deliveries.at(0).lane, 1);
}

/// Lanes 0, 1 and 2 read lanes 0, 2 and 6. Lane 1 takes the first link from lane 2 and then loses
/// to lane 0 after the second stage: two passes would be enough.
TEST(DestinationBits, WasteLinksOnValuesThatAreLostLater) {
  const uint8_t sources[] = {0, 2, 6};
  const LaneMap map = test::map_of([&](unsigned lane) { return sources[lane % 3]; }, 0x7, 8);
  EXPECT_EQ(make_network("butterfly", {}, 8)->route(map).pass_count(), 2u);
  const Schedule schedule = make_network("butterfly", kByBits, 8)->route(map);
  ASSERT_EQ(schedule.pass_count(), 3u);
  for (uint8_t lane = 0; lane < 3; ++lane) {
    ASSERT_EQ(schedule.passes[lane].deliveries.size(), 1u);
    EXPECT_EQ(schedule.passes[lane].deliveries[0].lane, lane);
  }
}

TEST(DestinationBits, NeverNeedFewerPassesThanSettingsKnownInAdvance) {
  for (const char* network : {"butterfly", "omega", "butterfly_pair"}) {
    const auto exact = make_network(network);
    const auto by_bits = make_network(network, kByBits);
    std::mt19937 random(21);
    uint64_t fewest = 0;
    uint64_t passes = 0;
    for (int count = 0; count < 500; ++count) {
      const LaneMap map = test::random_permutation(&random);
      const uint32_t least = exact->route(map).pass_count();
      ASSERT_GE(by_bits->route(map).pass_count(), least);
      fewest += least;
      passes += by_bits->route(map).pass_count();
    }
    EXPECT_GT(passes, fewest) << network;
  }
}

TEST(DestinationBits, AreEnoughForEveryExchange) {
  const auto butterfly = make_network("butterfly", kByBits);
  for (unsigned mask = 0; mask < 32; ++mask) {
    EXPECT_EQ(
        butterfly->route(test::map_of([=](unsigned lane) { return lane ^ mask; })).pass_count(),
        1u);
  }
}

unsigned permutations_in_a_pass(uint8_t lanes) {
  std::vector<uint8_t> order(lanes);
  std::iota(order.begin(), order.end(), uint8_t{0});
  unsigned count = 0;
  do {
    std::vector<Request> requests;
    for (uint8_t lane = 0; lane < lanes; ++lane) requests.push_back({lane, order[lane]});
    if (self_routed_paths(requests, lanes).size() == lanes) ++count;
  } while (std::next_permutation(order.begin(), order.end()));
  return count;
}

TEST(SelfRouting, BringsNassimisAndSahnisClassHomeInOnePass) {
  EXPECT_EQ(permutations_in_a_pass(4), 20u);
  EXPECT_EQ(permutations_in_a_pass(8), 11632u);
}

TEST(SelfRouting, BringsRotationsExchangesAndBitReversalHomeInOnePass) {
  const auto benes = make_network("benes", {{"shuffle.benes.routing", "self_routing"}});
  for (unsigned b = 0; b < 32; ++b) {
    const LaneMap rotation = test::map_of([=](unsigned lane) { return (lane + b) % 32; });
    const LaneMap exchange = test::map_of([=](unsigned lane) { return lane ^ b; });
    EXPECT_EQ(benes->route(rotation).pass_count(), 1u) << b;
    EXPECT_EQ(benes->route(exchange).pass_count(), 1u) << b;
  }
  const LaneMap reversal = test::map_of([](unsigned lane) {
    unsigned reversed = 0;
    for (unsigned bit = 0; bit < 5; ++bit) reversed |= ((lane >> bit) & 1u) << (4 - bit);
    return reversed;
  });
  EXPECT_EQ(benes->route(reversal).pass_count(), 1u);
}

TEST(Looping, TakesACycleLessThanThereAreLanesInFrontOfEachPass) {
  const auto benes = make_network("benes", {{"shuffle.benes.routing", "looping"}});
  const auto two_readers = test::map_of([](unsigned lane) { return lane / 2; });
  const Schedule schedule = benes->route(two_readers);
  EXPECT_EQ(schedule.pass_count(), 2u);
  EXPECT_EQ(schedule.set_up, 2u * 31);
  EXPECT_EQ(benes->route(test::map_of([](unsigned) { return 0u; }, 0)).set_up, 0u);
  const auto copies = make_network("benes_copy", {{"shuffle.benes_copy.routing", "looping"}});
  EXPECT_EQ(copies->route(two_readers).set_up, 31u);
}

TEST(Looping, HoldsTheUnitInFrontOfItsPasses) {
  ShuffleParams params;
  params.latency = 24;
  params.lanes = isa::kLanes;
  params.cluster = 4;
  params.pipelined = 1;
  params.interval = 1;
  const std::vector<LaneMap> maps = {test::map_of([](unsigned lane) { return lane / 2; })};
  ShuffleUnit unit("shuffle", params, make_network("benes", {{"shuffle.benes.routing", "looping"}}),
                   maps);
  InOrderPipe pipe("pipe");
  for (auto& port : unit.pipe) port.bind(pipe);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const Facts facts{};
  MioRequest request;
  request.facts = &facts;
  request.payload = 0;
  EXPECT_EQ(unit.beats(request), 62u + 2);
  EXPECT_EQ(unit.start(0, request, 10).result, 10u + 62 + 1 + 24);
  EXPECT_EQ(unit.free_from(0, 10), 10u + 62 + 2);
}

}  // namespace shuffle_set_up_test
}  // namespace shflsim::model
