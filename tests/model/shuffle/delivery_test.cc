// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "tests/model/shuffle/patterns.h"

namespace shflsim::model {
namespace shuffle_delivery_test {

using isa::LaneMap;
using test::Settings;

/// Expects each executing lane to receive its source once, and a port to carry one source a pass.
void expect_delivery(const ShuffleNetwork& network, const LaneMap& map, const Schedule& schedule) {
  std::map<unsigned, unsigned> received;
  for (const Pass& pass : schedule.passes) {
    std::map<unsigned, unsigned> carried;
    for (const PortUse& use : pass.uses) {
      ASSERT_LT(use.port, network.ports());
      ASSERT_TRUE(carried.emplace(use.port, use.source).second) << network.port_name(use.port);
    }
    for (const Delivery& delivery : pass.deliveries) {
      ASSERT_TRUE(received.emplace(delivery.lane, delivery.source).second);
      ASSERT_EQ(carried.at(delivery.port), delivery.source);
    }
  }
  std::map<unsigned, unsigned> wanted;
  for (unsigned lane = 0; lane < isa::kLanes; ++lane) {
    if ((map.executing >> lane) & 1u) wanted[lane] = map.source[lane];
  }
  ASSERT_EQ(received, wanted);
}

class EveryNetwork : public testing::TestWithParam<test::Design> {
 protected:
  /// The network with add-ons by the bits of `add_ons`.
  std::unique_ptr<ShuffleNetwork> make(unsigned add_ons, unsigned lanes) const {
    const char* const keys[] = {"shuffle.self_bypass", "shuffle.quad_fast_path",
                                "shuffle.uniform_broadcast"};
    Settings settings = GetParam().settings;
    for (unsigned bit = 0; bit < 3; ++bit) {
      settings.emplace_back(keys[bit], (add_ons >> bit) & 1u ? "1" : "0");
    }
    return test::make_network(GetParam().network, settings, lanes);
  }
};

TEST_P(EveryNetwork, DeliversEveryMapOfFourLanesUnderEveryMask) {
  for (unsigned add_ons = 0; add_ons < 8; ++add_ons) {
    const auto network = make(add_ons, 4);
    test::for_every_map(4, [&](const LaneMap& map) {
      if (!HasFatalFailure()) expect_delivery(*network, map, network->route(map));
    });
  }
}

TEST_P(EveryNetwork, DeliversRandomMapsOfEightLanesWithAnyAddOns) {
  std::mt19937 random(8);
  for (unsigned add_ons = 0; add_ons < 8; ++add_ons) {
    const auto network = make(add_ons, 8);
    for (int count = 0; count < 1000 && !HasFatalFailure(); ++count) {
      LaneMap map = test::random_map(&random, 8);
      map.executing &= 0xFF;
      expect_delivery(*network, map, network->route(map));
    }
  }
}

TEST_P(EveryNetwork, RoutesTheSameMapTheSameWay) {
  const auto network = make(0, 32);
  std::mt19937 random(5);
  const LaneMap map = test::random_map(&random);
  const Schedule first = network->route(map);
  const Schedule second = make(0, 32)->route(map);
  ASSERT_EQ(first.pass_count(), second.pass_count());
  for (size_t pass = 0; pass < first.passes.size(); ++pass) {
    EXPECT_EQ(first.passes[pass].uses, second.passes[pass].uses);
  }
}

TEST_P(EveryNetwork, TakesOnePassWhenNoLaneExecutes) {
  const Schedule schedule = make(7, 32)->route(test::map_of([](unsigned) { return 0u; }, 0));
  EXPECT_EQ(schedule.pass_count(), 1u);
  EXPECT_EQ(schedule.port_conflicts(), 0u);
}

TEST_P(EveryNetwork, NamesEveryPortOnce) {
  const auto network = make(7, 32);
  std::set<std::string> names;
  for (unsigned port = 0; port < network->ports(); ++port) names.insert(network->port_name(port));
  EXPECT_EQ(names.size(), network->ports());
}

TEST_P(EveryNetwork, NeedsNoMorePassesWithAnAddOn) {
  if (GetParam().is_greedy) GTEST_SKIP() << "a lane less may let others be lost";
  std::mt19937 random(3);
  const auto plain = make(0, 32);
  for (int count = 0; count < 300; ++count) {
    const LaneMap map = test::random_map(&random);
    const uint32_t passes = plain->route(map).pass_count();
    for (unsigned add_on = 1; add_on < 8; add_on *= 2) {
      EXPECT_LE(make(add_on, 32)->route(map).pass_count(), passes);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shuffle, EveryNetwork, testing::ValuesIn(test::designs()),
                         [](const auto& tested) { return std::string(tested.param.label); });

}  // namespace shuffle_delivery_test
}  // namespace shflsim::model
