// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/model/shuffle_patterns.h"

namespace shflsim::model {
namespace {

using test::make_network;
using test::Settings;

struct CostRow {
  const char* network;
  Settings settings;
  uint64_t mux2;  ///< per bit of a lane
  uint32_t levels;
  uint32_t tracks;
  uint64_t length;
};

Settings banked(const char* banks, const char* ports) {
  return {{"shuffle.banked.banks", banks}, {"shuffle.banked.ports", ports}};
}

void expect_costs(const std::vector<CostRow>& rows, unsigned lanes) {
  for (const CostRow& row : rows) {
    const NetworkCost cost = make_network(row.network, row.settings, lanes)->cost();
    EXPECT_EQ(cost.mux2, row.mux2 * 32) << row.network;
    EXPECT_EQ(cost.mux_levels, row.levels) << row.network;
    EXPECT_EQ(cost.wire_tracks, row.tracks) << row.network;
    EXPECT_EQ(cost.wire_length, row.length) << row.network;
  }
}

/// docs/sources.md, "Cost". The table there has one line of wires for both rings, those of one way.
/// Its 160 mux2 a bit of a copy network leave out the concentrator, without which it blocks
/// (BenesCopy.NeedsItsConcentrator).
TEST(ShuffleCosts, AreThoseOfTheTableFor32Lanes) {
  expect_costs(
      {
          {"crossbar", {}, 992, 5, 32, 992},
          {"half_outputs", {}, 496, 5, 16, 496},
          {"half_inputs", {}, 496, 5, 16, 496},
          {"banked", banked("8", "1"), 248, 5, 8, 272},
          {"banked", banked("8", "2"), 528, 6, 16, 544},
          {"banked", banked("16", "1"), 496, 5, 16, 512},
          {"benes", {}, 288, 9, 122, 1952},
          {"benes_copy", {}, 288 + 2 * 160, 19, 122 + 2 * 62, 1952 + 2 * 992},
          {"omega", {}, 160, 5, 80, 1200},
          {"butterfly", {}, 160, 5, 62, 992},
          {"butterfly_pair", {}, 320, 5, 124, 1984},
          {"rotator", {}, 160, 5, 62, 1302},
          {"xor", {}, 160, 5, 62, 992},
          {"shifter", {}, 320, 10, 62, 1302},
          {"hierarchical", {{"shuffle.hierarchical.group", "8"}}, 320, 5, 40, 992},
          {"hierarchical", {{"shuffle.hierarchical.group", "4"}}, 320, 5, 36, 992},
          {"hierarchical", {{"shuffle.hierarchical.group", "16"}}, 512, 5, 48, 992},
          {"quad", {}, 96, 2, 4, 96},
          {"ring", {{"shuffle.ring.ways", "1"}}, 64, 1, 2, 62},
          {"ring", {{"shuffle.ring.ways", "2"}}, 96, 1, 4, 124},
          {"shared_memory", {{"shuffle.shared_memory.banks", "32"}}, 0, 0, 0, 0},
      },
      32);
}

/// The closed forms of the same table at N = 64, log2 N = 6.
TEST(ShuffleCosts, FollowTheClosedFormsFor64Lanes) {
  expect_costs(
      {
          {"crossbar", {}, 64 * 63, 6, 64, 64 * 63},
          {"half_outputs", {}, 32 * 63, 6, 32, 32 * 63},
          {"half_inputs", {}, 64 * 31 + 32, 6, 32, 32 * 63},
          {"banked", banked("8", "1"), 64 * 7 + 56, 6, 8, 8 * 63 + 56},
          {"benes", {}, 64 * 11, 11, 4 * 63 - 2, 64 * 125},
          {"omega", {}, 64 * 6, 6, 32 * 6, (32 * 31) * 6},
          {"butterfly", {}, 64 * 6, 6, 126, 64 * 63},
          {"rotator", {}, 64 * 6, 6, 126, 2 * (64 * 63 - (64 * 64 - 1) / 3)},
          {"hierarchical", {{"shuffle.hierarchical.group", "8"}}, 64 * 14, 6, 72, 64 * 63},
          {"quad", {}, 64 * 3, 2, 4, 64 * 3},
          {"ring", {{"shuffle.ring.ways", "1"}}, 128, 1, 2, 126},
      },
      64);
}

TEST(ShuffleCosts, CountSwitches) {
  const auto switches = [](const char* network, const Settings& settings = {}) {
    return make_network(network, settings)->cost().switches;
  };
  EXPECT_EQ(switches("crossbar"), 1024u);
  EXPECT_EQ(switches("benes"), 144u);
  EXPECT_EQ(switches("benes_copy"), 144u + 80u + 80u);
  EXPECT_EQ(switches("omega"), 80u);
  EXPECT_EQ(switches("butterfly"), 80u);
  EXPECT_EQ(switches("butterfly_pair"), 160u);
  EXPECT_EQ(switches("rotator"), 160u);
  EXPECT_EQ(switches("hierarchical", {{"shuffle.hierarchical.group", "8"}}), 32u * 8u + 32u * 4u);
}

TEST(ShuffleCosts, AddABypassOf32MultiplexersABitAndALevel) {
  const NetworkCost plain = make_network("benes")->cost();
  const NetworkCost bypassed = make_network("benes", {{"shuffle.self_bypass", "1"}})->cost();
  EXPECT_EQ(bypassed.mux2, plain.mux2 + 32 * 32);
  EXPECT_EQ(bypassed.mux_levels, plain.mux_levels + 1);
  EXPECT_EQ(bypassed.wire_tracks, plain.wire_tracks);
  EXPECT_EQ(bypassed.wire_length, plain.wire_length);
}

TEST(ShuffleCosts, AddAQuadsCrossbarsAndABus) {
  const NetworkCost plain = make_network("rotator")->cost();
  const NetworkCost quads = make_network("rotator", {{"shuffle.quad_fast_path", "1"}})->cost();
  EXPECT_EQ(quads.mux2, plain.mux2 + (96 + 32) * 32);
  EXPECT_EQ(quads.wire_tracks, plain.wire_tracks + 4);
  const NetworkCost bus = make_network("rotator", {{"shuffle.uniform_broadcast", "1"}})->cost();
  EXPECT_EQ(bus.mux2, plain.mux2 + (31 + 32) * 32);
  EXPECT_EQ(bus.wire_length, plain.wire_length + 31);
}

}  // namespace
}  // namespace shflsim::model
