// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "model/shuffle/banyan.h"
#include "model/shuffle/benes_routing.h"
#include "model/shuffle/colouring.h"
#include "tests/model/shuffle/patterns.h"

namespace shflsim::model {
namespace shuffle_routing_test {

using isa::LaneMap;
using test::make_network;

/// The source of each of up to eight lanes, three bits per lane, from bit 0.
using Arrival = uint32_t;

unsigned source_at(Arrival arrival, unsigned lane) { return (arrival >> 3 * lane) & 7; }

/// A network of 2x2 switches with four states; its abilities are found by trying all settings.
class SwitchNetwork {
 public:
  /// Stages of switches between lanes whose numbers differ by `distances`, one distance per stage.
  SwitchNetwork(unsigned lanes, std::vector<unsigned> distances)
      : lanes_(lanes), distances_(std::move(distances)), possible_(size_t{1} << 3 * lanes) {
    Arrival start = 0;
    for (unsigned lane = 0; lane < lanes_; ++lane) start |= lane << 3 * lane;
    set_stage(0, start);
    for (Arrival arrival = 0; arrival < possible_.size(); ++arrival) {
      if (possible_[arrival]) arrivals_.push_back(arrival);
    }
  }

  /// All arrivals that some setting gives.
  const std::vector<Arrival>& arrivals() const { return arrivals_; }

  /// The fewest settings that together bring each executing lane its source, found by trying all
  /// partitions of the lanes.
  unsigned fewest_passes(const LaneMap& map) const {
    std::vector<bool> served(size_t{1} << lanes_);
    for (const Arrival arrival : arrivals_) served[agreement(map, arrival)] = true;
    std::vector<unsigned> passes(served.size(), 99);
    passes[0] = 0;
    for (unsigned lanes = 1; lanes < passes.size(); ++lanes) {
      for (unsigned part = 1; part < served.size(); ++part) {
        if (served[part]) passes[lanes] = std::min(passes[lanes], passes[lanes & ~part] + 1);
      }
    }
    return passes[map.executing];
  }

 private:
  void set_stage(size_t stage, Arrival places) {
    if (stage == distances_.size()) {
      possible_[places] = true;
      return;
    }
    for (unsigned setting = 0; setting < 1u << lanes_; ++setting) {  // two bits per switch
      set_stage(stage + 1, switched(places, distances_[stage], setting));
    }
  }

  Arrival switched(Arrival places, unsigned distance, unsigned setting) const {
    Arrival next = 0;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      if (lane & distance) continue;
      const unsigned other = lane | distance;
      next |= source_at(places, setting & 1 ? other : lane) << 3 * lane;
      next |= source_at(places, setting & 2 ? lane : other) << 3 * other;
      setting >>= 2;
    }
    return next;
  }

  unsigned agreement(const LaneMap& map, Arrival arrival) const {
    unsigned lanes = 0;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      if (source_at(arrival, lane) == map.source[lane]) lanes |= 1u << lane;
    }
    return lanes & map.executing;
  }

  unsigned lanes_;
  std::vector<unsigned> distances_;
  std::vector<bool> possible_;
  std::vector<Arrival> arrivals_;
};

TEST(Butterfly, NeedsTheFewestPassesForEveryMapOfFourLanes) {
  const SwitchNetwork switches(4, {2, 1});
  const auto butterfly = make_network("butterfly", {}, 4);
  const auto omega = make_network("omega", {}, 4);
  test::for_every_map(4, [&](const LaneMap& map) {
    const unsigned fewest = switches.fewest_passes(map);
    ASSERT_EQ(butterfly->route(map).pass_count(), fewest);
    ASSERT_EQ(omega->route(map).pass_count(), fewest);
  });
}

TEST(ButterflyPair, IsAtMostTheBetterOfItsNetworksForEveryMapOfFourLanes) {
  const SwitchNetwork ahead(4, {2, 1});
  const SwitchNetwork inverse(4, {1, 2});
  const auto pair = make_network("butterfly_pair", {}, 4);
  test::for_every_map(4, [&](const LaneMap& map) {
    const unsigned best = std::min(ahead.fewest_passes(map), inverse.fewest_passes(map));
    ASSERT_LE(pair->route(map).pass_count(), best);  // one pass stays one pass
  });
}

/// Tries all 2^24 settings of the 12 switches of an 8-lane butterfly.
TEST(Butterfly, NeedsTheFewestPassesForMapsOfEightLanes) {
  const SwitchNetwork switches(8, {4, 2, 1});
  const auto butterfly = make_network("butterfly", {}, 8);
  const auto omega = make_network("omega", {}, 8);
  std::mt19937 random(2);
  std::set<unsigned> seen;
  for (int count = 0; count < 8; ++count) {
    LaneMap map = test::random_map(&random, 8);
    map.executing = count % 2 ? 0xFF : map.executing & 0xFF;
    const unsigned fewest = std::max(1u, switches.fewest_passes(map));
    EXPECT_EQ(butterfly->route(map).pass_count(), fewest);
    EXPECT_EQ(omega->route(map).pass_count(), fewest);
    seen.insert(fewest);
  }
  EXPECT_GE(seen.size(), 2u);
}

/// The reason for benes_copy's concentrator: no setting of a four-lane butterfly, in either stage
/// order, gives three copies of lane 0 and one of the other lane at its first switch.
TEST(BenesCopy, NeedsItsConcentrator) {
  for (const std::vector<unsigned>& distances : {std::vector<unsigned>{2, 1}, {1, 2}}) {
    const unsigned mate = distances[0];  // the lane at the same first switch as lane 0
    const SwitchNetwork switches(4, distances);
    for (const Arrival arrival : switches.arrivals()) {
      unsigned of_0 = 0;
      unsigned of_mate = 0;
      for (unsigned lane = 0; lane < 4; ++lane) {
        of_0 += source_at(arrival, lane) == 0;
        of_mate += source_at(arrival, lane) == mate;
      }
      EXPECT_FALSE(of_0 == 3 && of_mate == 1);
    }
  }
}

bool colourable(const Neighbours& neighbours, unsigned colours) {
  const auto vertices = static_cast<unsigned>(neighbours.size());
  unsigned colourings = 1;
  for (unsigned vertex = 0; vertex < vertices; ++vertex) colourings *= colours;
  for (unsigned code = 0; code < colourings; ++code) {
    std::vector<unsigned> colour;
    for (unsigned rest = code; colour.size() < vertices; rest /= colours) {
      colour.push_back(rest % colours);
    }
    bool proper = true;
    for (unsigned a = 0; a < vertices && proper; ++a) {
      for (unsigned b = 0; b < a; ++b) {
        if (((neighbours[a] >> b) & 1u) && colour[a] == colour[b]) proper = false;
      }
    }
    if (proper) return true;
  }
  return false;
}

TEST(Colouring, UsesTheFewestColoursOfRandomGraphs) {
  std::mt19937 random(1);
  for (int count = 0; count < 150; ++count) {
    Neighbours neighbours(7);
    for (unsigned a = 0; a < 7; ++a) {
      for (unsigned b = 0; b < a; ++b) {
        if (random() % 10 >= 3 + static_cast<unsigned>(count) % 5) continue;
        neighbours[a] |= 1u << b;
        neighbours[b] |= 1u << a;
      }
    }
    const std::vector<uint8_t> colours = fewest_colours(neighbours);
    for (unsigned a = 0; a < 7; ++a) {
      for (unsigned b = 0; b < a; ++b) {
        EXPECT_FALSE(((neighbours[a] >> b) & 1u) && colours[a] == colours[b]);
      }
    }
    const unsigned used = *std::max_element(colours.begin(), colours.end()) + 1u;
    EXPECT_FALSE(colourable(neighbours, used - 1));
  }
}

TEST(Benes, RoutesEveryPermutationOfEightLanesOverItsSwitches) {
  std::vector<uint8_t> order = {0, 1, 2, 3, 4, 5, 6, 7};
  const std::array<unsigned, 5> distances = {4, 2, 1, 2, 4};
  do {
    std::vector<Request> requests;
    for (uint8_t lane = 0; lane < 8; ++lane) requests.push_back({lane, order[lane]});
    const auto paths = benes_paths(requests, 8);
    std::array<std::set<unsigned>, 5> places;
    for (size_t value = 0; value < 8; ++value) {
      unsigned place = order[value];
      for (size_t stage = 0; stage < 5; ++stage) {
        const unsigned next = paths[value][stage];
        ASSERT_TRUE(next == place || next == (place ^ distances[stage]));
        ASSERT_TRUE(places[stage].insert(next).second);
        place = next;
      }
      ASSERT_EQ(place, value);
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Ring, MovesEachValueOneLaneAPass) {
  const auto ring = make_network("ring", {{"shuffle.ring.ways", "2"}});
  const Schedule schedule = ring->route(test::map_of([](unsigned) { return 30u; }, 1u << 1));
  ASSERT_EQ(schedule.pass_count(), 3u);
  EXPECT_EQ(ring->port_name(schedule.passes[0].uses[0].port), "forward link 30");
  EXPECT_EQ(ring->port_name(schedule.passes[1].uses[0].port), "forward link 31");
  EXPECT_EQ(ring->port_name(schedule.passes[2].uses[0].port), "forward link 0");
}

TEST(Omega, NamesTheLinksByLawriesRule) {
  const auto omega = make_network("omega", {}, 8);
  const Schedule schedule = omega->route(test::map_of([](unsigned) { return 5u; }, 1u << 3, 8));
  ASSERT_EQ(schedule.passes[0].uses.size(), 3u);
  std::vector<std::string> links;
  for (const PortUse& use : schedule.passes[0].uses) links.push_back(omega->port_name(use.port));
  // From 101 to 011: 010, 101, 011.
  const std::vector<std::string> expected = {"stage 0 link 2", "stage 1 link 5", "stage 2 link 3"};
  EXPECT_EQ(links, expected);
}

TEST(WaitingLanes, NameThePortForWhichTheyWaited) {
  const auto butterfly = make_network("butterfly", {}, 4);
  // Lanes 0 and 1 read lanes 0 and 2, which meet after the first switch.
  const Schedule schedule =
      butterfly->route(test::map_of([](unsigned lane) { return lane * 2; }, 0x3, 4));
  ASSERT_EQ(schedule.pass_count(), 2u);
  EXPECT_EQ(butterfly->port_name(schedule.passes[1].deliveries[0].port), "stage 0 link 0");
}

}  // namespace shuffle_routing_test
}  // namespace shflsim::model
