// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/shuffle_network.h"

#include <gtest/gtest.h>

#include "isa/base/input_error.h"
#include "tests/model/shuffle/patterns.h"

namespace shflsim::model {
namespace shuffle_network_test {

using isa::ShuffleMode;
using test::make_network;
using test::map_of;
using test::shfl;

test::Settings banks(const char* count, const char* ports, const char* interleave) {
  return {{"shuffle.banked.banks", count},
          {"shuffle.banked.ports", ports},
          {"shuffle.banked.interleave", interleave}};
}

TEST(Crossbar, DeliversARotationInOnePassOverOnePortALane) {
  const Schedule schedule =
      make_network("crossbar")->route(map_of([](unsigned i) { return (i + 1) % 32; }));
  ASSERT_EQ(schedule.pass_count(), 1u);
  ASSERT_EQ(schedule.passes[0].deliveries.size(), 32u);
  EXPECT_EQ(schedule.passes[0].uses.size(), 32u);
  EXPECT_EQ(schedule.passes[0].deliveries[3].lane, 3);
  EXPECT_EQ(schedule.passes[0].deliveries[3].source, 4);
  EXPECT_EQ(schedule.passes[0].deliveries[3].port, 3);
  EXPECT_EQ(schedule.port_conflicts(), 0u);
}

TEST(Crossbar, TakesOnePassWithoutDeliveriesWhenNoLaneExecutes) {
  const Schedule schedule = make_network("crossbar")->route(map_of([](unsigned) { return 0; }, 0));
  ASSERT_EQ(schedule.pass_count(), 1u);
  EXPECT_TRUE(schedule.passes[0].deliveries.empty());
  EXPECT_TRUE(schedule.passes[0].uses.empty());
}

TEST(Banked, ServesTheSourcesOfOneBankOneAfterTheOther) {
  const auto network = make_network("banked", banks("8", "1", "low"));
  // Lanes 0..3 read lanes 0, 8, 16 and 8: bank 0 reads lane 0, then 8 for two lanes, then 16.
  const Schedule schedule =
      network->route(map_of([](unsigned i) { return i == 3 ? 8 : 8 * (i % 4); }, 0xF));
  ASSERT_EQ(schedule.pass_count(), 3u);
  EXPECT_EQ(schedule.passes[0].deliveries.size(), 1u);
  ASSERT_EQ(schedule.passes[1].deliveries.size(), 2u);
  EXPECT_EQ(schedule.passes[1].deliveries[0].lane, 1);
  EXPECT_EQ(schedule.passes[1].deliveries[1].lane, 3);
  EXPECT_EQ(schedule.passes[1].uses.size(), 1u);
  EXPECT_EQ(schedule.port_conflicts(), 1u + 1u + 2u);
  EXPECT_EQ(network->port_name(0), "bank 0");
}

TEST(Banked, UsesEveryPortOfABank) {
  const auto network = make_network("banked", banks("8", "2", "low"));
  const Schedule schedule = network->route(map_of([](unsigned i) { return 8 * (i % 4); }));
  ASSERT_EQ(schedule.pass_count(), 2u);
  EXPECT_EQ(schedule.passes[0].uses.size(), 2u);
  EXPECT_EQ(network->port_name(1), "bank 0 port 1");
}

TEST(Banked, ChoosesTheBankByLowOrHighBits) {
  const isa::LaneMap up = shfl(ShuffleMode::kUp, 16);
  EXPECT_EQ(make_network("banked", banks("8", "1", "low"))->route(up).pass_count(), 2u);
  EXPECT_EQ(make_network("banked", banks("8", "1", "high"))->route(up).pass_count(), 4u);
}

TEST(Banked, CountsOnlyExecutingLanes) {
  const auto network = make_network("banked", banks("8", "1", "low"));
  const auto identity = [](unsigned i) { return i; };
  EXPECT_EQ(network->route(map_of(identity)).pass_count(), 4u);
  EXPECT_EQ(network->route(map_of(identity, 0x00FF)).pass_count(), 1u);
}

TEST(ShuffleNetworks, RefuseAnUnknownNameAndOfferTheNearest) {
  try {
    make_network("crosbar");
    FAIL() << "made a network of no kind";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'crossbar'"), std::string::npos) << error.what();
  }
}

}  // namespace shuffle_network_test
}  // namespace shflsim::model
