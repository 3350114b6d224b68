// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "tests/model/shuffle/patterns.h"

namespace shflsim::model {
namespace shuffle_passes_test {

using isa::LaneMap;
using test::make_network;
using test::Settings;
using Value = std::function<unsigned(unsigned lane, unsigned source)>;

/// The pass formulas of docs/sources.md, "Passes", counted from the map alone.

unsigned distinct(const LaneMap& map, const Value& value) {
  std::set<unsigned> values;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((map.executing >> lane) & 1u) values.insert(value(lane, map.source[lane]));
  }
  return std::max(1u, static_cast<unsigned>(values.size()));
}

unsigned greatest(const LaneMap& map, const Value& value) {
  unsigned most = 1;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((map.executing >> lane) & 1u) most = std::max(most, value(lane, map.source[lane]));
  }
  return most;
}

/// The largest number of distinct sources that meet in one place.
unsigned crowd(const LaneMap& map, const Value& place) {
  std::map<unsigned, std::set<unsigned>> sources;
  size_t most = 1;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!((map.executing >> lane) & 1u)) continue;
    auto& here = sources[place(lane, map.source[lane])];
    here.insert(map.source[lane]);
    most = std::max(most, here.size());
  }
  return static_cast<unsigned>(most);
}

unsigned readers_of_one_source(const LaneMap& map) {
  std::array<unsigned, 32> readers{};
  return greatest(map, [&](unsigned, unsigned source) { return ++readers[source]; });
}

/// Bound of omega (Lawrie): the link after k stages is (low 5-k bits of source, high k of lane).
unsigned omega_bound(const LaneMap& map) {
  unsigned most = 1;
  for (unsigned k = 1; k <= 5; ++k) {
    most = std::max(most, crowd(map, [k](unsigned lane, unsigned source) {
                      return ((source << k) | (lane >> (5 - k))) & 31;
                    }));
  }
  return most;
}

bool within_quads(const LaneMap& map) {
  return greatest(map, [](unsigned lane, unsigned source) {
           return lane / 4 == source / 4 ? 1u : 2u;
         }) == 1;
}

unsigned rotations(const LaneMap& map) {
  return distinct(map, [](unsigned lane, unsigned source) { return (lane - source) & 31; });
}
unsigned masks(const LaneMap& map) {
  return distinct(map, [](unsigned lane, unsigned source) { return lane ^ source; });
}

/// The number of bits in which some lane differs from its source, at least 1.
unsigned hypercube_bound(const LaneMap& map) {
  unsigned bits = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (map.executing >> lane & 1) bits |= lane ^ map.source[lane];
  }
  return static_cast<unsigned>(std::max(1, __builtin_popcount(bits)));
}

/// A network of 32 lanes and the least and most passes that it may take for a map.
struct Design {
  const char* label;
  const char* network;
  Settings settings;
  std::function<unsigned(const LaneMap&)> least;
  std::function<unsigned(const LaneMap&)> most = {};  ///< equals `least` if not given
};

void PrintTo(const Design& design, std::ostream* out) { *out << design.label; }

Settings banked(const char* banks, const char* ports, const char* interleave) {
  return {{"shuffle.banked.banks", banks},
          {"shuffle.banked.ports", ports},
          {"shuffle.banked.interleave", interleave}};
}
Settings groups_of(const char* lanes) { return {{"shuffle.hierarchical.group", lanes}}; }

unsigned one(const LaneMap&) { return 1; }

const Design kDesigns[] = {
    {"crossbar", "crossbar", {}, one},
    {"half_outputs",
     "half_outputs",
     {},
     [](const LaneMap& map) {
       return distinct(map, [](unsigned lane, unsigned) { return lane / 16; });
     }},
    {"half_inputs",
     "half_inputs",
     {},
     [](const LaneMap& map) {
       return distinct(map, [](unsigned, unsigned source) { return source / 16; });
     }},
    {"banked_8x1_low", "banked", banked("8", "1", "low"),
     [](const LaneMap& map) {
       return crowd(map, [](unsigned, unsigned source) { return source % 8; });
     }},
    {"banked_8x1_high", "banked", banked("8", "1", "high"),
     [](const LaneMap& map) {
       return crowd(map, [](unsigned, unsigned source) { return source / 4; });
     }},
    {"banked_8x2_low", "banked", banked("8", "2", "low"),
     [](const LaneMap& map) {
       return (crowd(map, [](unsigned, unsigned source) { return source % 8; }) + 1) / 2;
     }},
    {"banked_16x1_low", "banked", banked("16", "1", "low"),
     [](const LaneMap& map) {
       return crowd(map, [](unsigned, unsigned source) { return source % 16; });
     }},
    {"benes", "benes", {}, readers_of_one_source},
    {"benes_copy", "benes_copy", {}, one},
    {"omega", "omega", {}, omega_bound, [](const LaneMap&) { return 32u; }},
    {"butterfly", "butterfly", {}, omega_bound, [](const LaneMap&) { return 32u; }},
    {"butterfly_pair",
     "butterfly_pair",
     {},
     one,
     [](const LaneMap& map) { return 2 * readers_of_one_source(map); }},
    {"rotator", "rotator", {}, rotations},
    {"xor", "xor", {}, masks},
    {"shifter",
     "shifter",
     {},
     [](const LaneMap& map) { return std::min(rotations(map), masks(map)); }},
    {"hierarchical_4", "hierarchical", groups_of("4"),
     [](const LaneMap& map) {
       return crowd(map, [](unsigned lane, unsigned source) { return source / 4 * 4 + lane % 4; });
     }},
    {"hierarchical_8", "hierarchical", groups_of("8"),
     [](const LaneMap& map) {
       return crowd(map, [](unsigned lane, unsigned source) { return source / 8 * 8 + lane % 8; });
     }},
    {"hierarchical_16", "hierarchical", groups_of("16"),
     [](const LaneMap& map) {
       return crowd(map,
                    [](unsigned lane, unsigned source) { return source / 16 * 16 + lane % 16; });
     }},
    {"hypercube", "hypercube", {}, hypercube_bound, [](const LaneMap&) { return 160u; }},
    {"quad", "quad", {}, [](const LaneMap& map) { return within_quads(map) ? 1u : 2u; }},
    {"ring_one_way",
     "ring",
     {{"shuffle.ring.ways", "1"}},
     [](const LaneMap& map) {
       return greatest(map, [](unsigned lane, unsigned source) { return (lane - source) & 31; });
     }},
    {"ring_two_way",
     "ring",
     {{"shuffle.ring.ways", "2"}},
     [](const LaneMap& map) {
       return greatest(map, [](unsigned lane, unsigned source) {
         return std::min((lane - source) & 31, (source - lane) & 31);
       });
     }},
    {"shared_memory",
     "shared_memory",
     {{"shuffle.shared_memory.banks", "32"}},
     [](const LaneMap& map) { return map.executing ? 2u : 1u; }},
};

class Passes : public testing::TestWithParam<Design> {};

TEST_P(Passes, FollowTheFormulaForRandomMaps) {
  const Design& design = GetParam();
  const auto network = make_network(design.network, design.settings);
  std::mt19937 random(32);
  for (int count = 0; count < 10000; ++count) {
    const LaneMap map = count % 4 ? test::random_map(&random) : test::random_permutation(&random);
    const uint32_t passes = network->route(map).pass_count();  // also checks the deliveries
    ASSERT_GE(passes, design.least(map));
    ASSERT_LE(passes, design.most ? design.most(map) : design.least(map));
  }
}

INSTANTIATE_TEST_SUITE_P(Shuffle, Passes, testing::ValuesIn(kDesigns),
                         [](const auto& tested) { return std::string(tested.param.label); });

TEST(Hypercube, TakesAPassForEachBitThatAnExchangeOrAShiftChanges) {
  const auto network = make_network("hypercube");
  for (unsigned mask = 0; mask < 32; ++mask) {
    const auto exchange = test::map_of([mask](unsigned lane) { return lane ^ mask; });
    EXPECT_EQ(network->route(exchange).pass_count(), std::max(1, __builtin_popcount(mask))) << mask;
  }
  EXPECT_EQ(network->route(test::map_of([](unsigned) { return 9u; })).pass_count(), 5u);
  EXPECT_EQ(network->route(test::shfl(isa::ShuffleMode::kUp, 1, 32)).pass_count(), 5u);
  EXPECT_EQ(network->route(test::shfl(isa::ShuffleMode::kUp, 1, 4)).pass_count(), 2u);
  EXPECT_EQ(network->route(test::shfl(isa::ShuffleMode::kDown, 16, 32)).pass_count(), 1u);
}

TEST(ButterflyPair, TakesTwoPassesForAnyPermutationAndNeverMoreThanTheButterfly) {
  const auto pair = make_network("butterfly_pair");
  const auto butterfly = make_network("butterfly");
  std::mt19937 random(7);
  for (int count = 0; count < 2000; ++count) {
    EXPECT_LE(pair->route(test::random_permutation(&random)).pass_count(), 2u);
    const LaneMap map = test::random_map(&random);
    EXPECT_LE(pair->route(map).pass_count(), butterfly->route(map).pass_count());
  }
}

}  // namespace shuffle_passes_test
}  // namespace shflsim::model
