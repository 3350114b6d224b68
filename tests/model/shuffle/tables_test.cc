// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numeric>

#include "tests/model/shuffle/patterns.h"

namespace shflsim::model {
namespace shuffle_tables_test {

using isa::LaneMap;
using isa::ShuffleMode;
using test::map_of;
using test::Settings;
using test::shfl;
using Maps = std::vector<LaneMap>;

Settings banked(const char* banks, const char* interleave) {
  return {{"shuffle.banked.banks", banks}, {"shuffle.banked.interleave", interleave}};
}
Settings groups_of(const char* lanes) { return {{"shuffle.hierarchical.group", lanes}}; }

/// A column of the tables: a network with or without the self-bypass.
struct Column {
  const char* network;
  Settings settings;
  bool self_bypass;
};

std::unique_ptr<ShuffleNetwork> make(const Column& column) {
  Settings settings = column.settings;
  settings.emplace_back("shuffle.self_bypass", column.self_bypass ? "1" : "0");
  return test::make_network(column.network, settings);
}

unsigned total_passes(const ShuffleNetwork& network, const Maps& maps) {
  return std::accumulate(maps.begin(), maps.end(), 0u, [&](unsigned sum, const LaneMap& map) {
    return sum + network.route(map).pass_count();
  });
}

LaneMap up(unsigned b) { return shfl(ShuffleMode::kUp, b); }
LaneMap down(unsigned b) { return shfl(ShuffleMode::kDown, b); }
LaneMap bfly(unsigned b) { return shfl(ShuffleMode::kBfly, b); }
LaneMap broadcast(unsigned lane, unsigned width = 32) {
  return shfl(ShuffleMode::kIdx, lane, width);
}
LaneMap transpose_4x8() {
  return map_of([](unsigned i) { return i % 4 * 8 + i / 4; });
}
LaneMap perfect_shuffle() {
  return map_of([](unsigned i) { return (i << 1 | i >> 4) & 31; });
}
LaneMap bit_reversal() {
  return map_of([](unsigned i) {
    return (i & 1) << 4 | (i & 2) << 2 | (i & 4) | (i & 8) >> 2 | (i & 16) >> 4;
  });
}
LaneMap stride_2() {
  return map_of([](unsigned i) { return i * 2 % 32; });
}

struct Row {
  const char* name;
  Maps maps;
  std::vector<unsigned> passes;  ///< by column
};

void expect_table(const std::vector<Column>& columns, const std::vector<Row>& rows) {
  for (size_t column = 0; column < columns.size(); ++column) {
    const auto network = make(columns[column]);
    for (const Row& row : rows) {
      EXPECT_EQ(total_passes(*network, row.maps), row.passes.at(column))
          << row.name << ", column " << column << " (" << columns[column].network << ")";
    }
  }
}

/// The table of docs/sources.md, "Patterns". "broadcast w=8" reads each segment's lane 4: only the
/// ring's passes depend on the lane (4 for this one; lane 0 is 7 lanes from the last lane of its
/// segment).
TEST(ShuffleTables, GiveThePassesOfEachPattern) {
  const std::vector<Column> columns = {
      {"crossbar", {}, false},
      {"half_inputs", {}, false},
      {"banked", banked("8", "low"), false},
      {"banked", banked("8", "high"), false},
      {"banked", banked("16", "low"), false},
      {"benes", {}, false},
      {"benes", {}, true},
      {"omega", {}, false},
      {"omega", {}, true},
      {"rotator", {}, true},
      {"xor", {}, true},
      {"hierarchical", groups_of("8"), false},
      {"hierarchical", groups_of("8"), true},
      {"ring", {{"shuffle.ring.ways", "2"}}, false},
  };
  expect_table(
      columns,
      {
          {"UP 1", {up(1)}, {1, 2, 4, 4, 2, 2, 1, 1, 1, 1, 5, 2, 1, 1}},
          {"DOWN 1", {down(1)}, {1, 2, 4, 4, 2, 2, 1, 1, 1, 1, 5, 2, 1, 1}},
          {"UP 16", {up(16)}, {1, 1, 2, 4, 1, 2, 1, 1, 1, 1, 1, 1, 1, 16}},
          {"BFLY 1", {bfly(1)}, {1, 2, 4, 4, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1}},
          {"BFLY 16", {bfly(16)}, {1, 2, 4, 4, 2, 1, 1, 1, 1, 1, 1, 1, 1, 16}},
          {"BFLY 31", {bfly(31)}, {1, 2, 4, 4, 2, 1, 1, 1, 1, 16, 1, 1, 1, 15}},
          {"broadcast", {broadcast(0)}, {1, 1, 1, 1, 1, 32, 31, 1, 1, 31, 31, 1, 1, 16}},
          {"broadcast w=8", {broadcast(4, 8)}, {1, 2, 4, 1, 2, 8, 7, 1, 1, 7, 7, 1, 1, 4}},
          {"transpose 4x8", {transpose_4x8()}, {1, 2, 4, 4, 2, 1, 1, 4, 4, 26, 15, 4, 4, 15}},
          {"perfect shuffle", {perfect_shuffle()}, {1, 2, 4, 4, 2, 1, 1, 2, 2, 30, 15, 2, 2, 15}},
          {"bit reversal", {bit_reversal()}, {1, 2, 4, 4, 2, 1, 1, 4, 3, 8, 3, 4, 3, 15}},
          {"stride-2 gather", {stride_2()}, {1, 2, 4, 2, 2, 2, 2, 2, 2, 31, 31, 1, 1, 16}},
      });
}

Maps each(std::initializer_list<unsigned> offsets, LaneMap (*shuffle)(unsigned)) {
  Maps maps;
  for (const unsigned offset : offsets) maps.push_back(shuffle(offset));
  return maps;
}

Maps operator+(Maps a, const Maps& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Maps operator*(unsigned times, const Maps& maps) {
  Maps all;
  for (unsigned count = 0; count < times; ++count) all = all + maps;
  return all;
}

TEST(ShuffleTables, TheRingsBroadcastDependsOnTheLane) {
  const auto ring = make({"ring", {{"shuffle.ring.ways", "2"}}, false});
  EXPECT_EQ(ring->route(broadcast(0, 8)).pass_count(), 7u);
  EXPECT_EQ(ring->route(broadcast(4, 8)).pass_count(), 4u);
}

struct Mean {
  const char* name;
  Column column;
  double permutation;
  double gather;
};

/// Means over random maps (docs/sources.md, "Patterns"); the maps differ from those, hence the
/// tolerance.
TEST(ShuffleTables, GiveTheMeanPassesOfRandomMaps) {
  const Mean means[] = {
      {"bank8x1 lo", {"banked", banked("8", "low"), false}, 4.0, 3.8},
      {"bank8x1 hi", {"banked", banked("8", "high"), false}, 4.0, 3.8},
      {"Benes", {"benes", {}, false}, 1, 3.5},
      {"omega", {"omega", {}, false}, 3.03, 2.94},
      {"rot+byp", {"rotator", {}, true}, 19.6, 20.0},
      {"xor+byp", {"xor", {}, true}, 19.5, 19.8},
      {"hier8", {"hierarchical", groups_of("8"), false}, 2.77, 2.75},
      {"ring bi", {"ring", {{"shuffle.ring.ways", "2"}}, false}, 15.6, 15.6},
  };
  for (const Mean& mean : means) {
    const auto network = make(mean.column);
    std::mt19937 random(33);
    Maps permutations;
    Maps gathers;
    for (int count = 0; count < 2000; ++count) {
      permutations.push_back(test::random_permutation(&random));
      gathers.push_back(map_of([&](unsigned) { return static_cast<unsigned>(random() % 32); }));
    }
    const double tolerance = 0.02 * mean.gather;
    EXPECT_NEAR(total_passes(*network, permutations) / 2000.0, mean.permutation, tolerance)
        << mean.name;
    EXPECT_NEAR(total_passes(*network, gathers) / 2000.0, mean.gather, tolerance) << mean.name;
  }
}

/// With the bypass, UP 16 and DOWN 16 leave a half-rate crossbar by outputs only one half of the
/// lanes: the other half reads itself. One pass serves the lanes of one half and is therefore
/// enough; the tables of docs/sources.md, "Workloads", count two, as without the bypass.
TEST(ShuffleTables, TheBypassSparesTheHalfRateCrossbarAHalfThatReadsItself) {
  const LaneMap map = up(16);
  for (unsigned lane = 0; lane < 16; ++lane) ASSERT_EQ(map.source[lane], lane);
  EXPECT_EQ(make({"half_outputs", {}, true})->route(map).pass_count(), 1u);
  EXPECT_EQ(make({"half_outputs", {}, false})->route(map).pass_count(), 2u);
  EXPECT_EQ(make({"half_outputs", {}, true})->route(down(16)).pass_count(), 1u);
}

/// The table of docs/sources.md, "Workloads"; the self-bypass is on in every column but half-out,
/// whose numbers are without it (see the test before).
TEST(ShuffleTables, GiveThePassesOfEachWorkload) {
  const std::vector<Column> columns = {
      {"crossbar", {}, true},
      {"half_outputs", {}, false},
      {"half_inputs", {}, true},
      {"banked", banked("8", "low"), true},
      {"banked", banked("8", "high"), true},
      {"banked", banked("16", "low"), true},
      {"benes", {}, true},
      {"omega", {}, true},
      {"rotator", {}, true},
      {"xor", {}, true},
      {"hierarchical", groups_of("8"), true},
      {"hierarchical", groups_of("4"), true},
      {"ring", {{"shuffle.ring.ways", "2"}}, true},
  };
  const Maps reduce = each({16, 8, 4, 2, 1}, bfly);
  const Maps scan = each({1, 2, 4, 8, 16}, up);
  const Maps bitonic = each({1, 2, 1, 4, 2, 1, 8, 4, 2, 1, 16, 8, 4, 2, 1}, bfly);
  const Maps min_flip = each({1, 3, 1, 7, 2, 1, 15, 4, 2, 1, 31, 8, 4, 2, 1}, bfly);
  const Maps stencil_9 = each({1, 2, 3, 4}, up) + each({1, 2, 3, 4}, down);
  const Maps smear = {broadcast(0, 4), broadcast(1, 4), broadcast(2, 4), broadcast(3, 4)};
  expect_table(
      columns,
      {
          {"reduce BFLY", reduce, {5, 10, 10, 20, 20, 10, 5, 5, 9, 5, 5, 5, 31}},
          {"reduce DOWN",
           each({16, 8, 4, 2, 1}, down),
           {5, 10, 9, 17, 20, 9, 5, 5, 5, 15, 5, 5, 31}},
          {"scan UP", scan, {5, 10, 9, 17, 20, 9, 5, 5, 5, 15, 5, 5, 31}},
          {"exclusive scan with aggregate",
           scan + Maps{up(1), broadcast(31)},
           {7, 14, 12, 22, 25, 12, 37, 7, 37, 51, 7, 7, 48}},
          {"bitonic32", bitonic, {15, 30, 30, 60, 60, 30, 15, 15, 29, 15, 15, 15, 57}},
          {"bitonic32 min-flip", min_flip, {15, 30, 30, 60, 60, 30, 15, 15, 66, 15, 15, 15, 67}},
          {"transpose 32x32",
           16 * reduce,
           {80, 160, 160, 320, 320, 160, 80, 80, 144, 80, 80, 80, 496}},
          {"stencil3", {up(1), down(1)}, {2, 4, 4, 8, 8, 4, 2, 2, 2, 10, 2, 2, 2}},
          {"stencil9", stencil_9, {8, 16, 16, 32, 32, 16, 8, 8, 8, 38, 8, 8, 20}},
          {"FFT32", 2 * reduce, {10, 20, 20, 40, 40, 20, 10, 10, 18, 10, 10, 10, 62}},
          {"FFT bit-reversal", {bit_reversal()}, {1, 2, 2, 3, 3, 2, 1, 3, 8, 3, 3, 3, 15}},
          {"quad DDX+DDY", {bfly(1), bfly(2)}, {2, 4, 4, 8, 8, 4, 2, 2, 4, 2, 2, 2, 3}},
          {"quad smear x4", smear, {4, 8, 8, 16, 4, 8, 12, 4, 12, 12, 4, 4, 10}},
          {"broadcast", {broadcast(0)}, {1, 2, 1, 1, 1, 1, 31, 1, 31, 31, 1, 1, 16}},
          {"4x8 transpose", {transpose_4x8()}, {1, 2, 2, 4, 4, 2, 1, 4, 26, 15, 4, 4, 15}},
          {"perfect shuffle", {perfect_shuffle()}, {1, 2, 2, 4, 4, 2, 1, 2, 30, 15, 2, 2, 15}},
      });
}

}  // namespace shuffle_tables_test
}  // namespace shflsim::model
