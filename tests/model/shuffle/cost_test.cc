// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "model/shuffle/routing.h"
#include "tests/model/shuffle/patterns.h"

namespace shflsim::model {
namespace shuffle_cost_test {

using test::make_network;
using test::Settings;

struct CostRow {
  const char* network;
  Settings settings;
  uint64_t mux2;  ///< per bit of a lane's word
  uint32_t levels;
  uint32_t tracks;
  uint64_t length;
};

Settings banked(const char* banks, const char* ports, const char* interleave = "low") {
  return {{"shuffle.banked.banks", banks},
          {"shuffle.banked.ports", ports},
          {"shuffle.banked.interleave", interleave}};
}
Settings grouped(const char* lanes) { return {{"shuffle.hierarchical.group", lanes}}; }
Settings ring(const char* ways) { return {{"shuffle.ring.ways", ways}}; }

/// docs/sources.md, "Cost". Its 160 mux2 per bit of a copy network leave out the concentrator; the
/// network blocks without it (BenesCopy.NeedsItsConcentrator).
TEST(ShuffleCosts, AreThoseOfTheTableFor32Lanes) {
  const std::vector<CostRow> rows = {
      {"crossbar", {}, 992, 5, 32, 992},
      {"half_outputs", {}, 496, 5, 48, 808},
      {"half_inputs", {}, 496, 5, 32, 752},
      {"banked", banked("8", "1"), 248, 5, 24, 504},
      {"banked", banked("8", "1", "high"), 248, 5, 10, 280},
      {"banked", banked("8", "2"), 528, 6, 32, 752},
      {"banked", banked("16", "1"), 496, 5, 32, 752},
      {"benes", {}, 288, 9, 122, 1952},
      {"benes_copy", {}, 288 + 2 * 160, 19, 122 + 2 * 62, 1952 + 2 * 992},
      {"omega", {}, 160, 5, 80, 1360},
      {"butterfly", {}, 160, 5, 62, 992},
      {"butterfly_pair", {}, 384, 7, 112, 1984},
      {"hypercube", {}, 192, 4, 32, 682},
      {"rotator", {}, 160, 5, 62, 1302},
      {"xor", {}, 160, 5, 62, 992},
      {"shifter", {}, 224, 9, 77, 1457},
      {"hierarchical", grouped("8"), 320, 5, 40, 992},
      {"hierarchical", grouped("4"), 320, 5, 36, 992},
      {"hierarchical", grouped("16"), 512, 5, 48, 992},
      {"quad", {}, 96, 2, 4, 96},
      {"ring", ring("1"), 64, 2, 2, 62},
      {"ring", ring("2"), 128, 3, 4, 124},
      {"shared_memory", {{"shuffle.shared_memory.banks", "32"}}, 0, 0, 0, 0},
  };
  for (const CostRow& row : rows) {
    const NetworkCost cost = make_network(row.network, row.settings)->cost();
    EXPECT_EQ(cost.mux2, row.mux2 * 32) << row.network;
    EXPECT_EQ(cost.mux_levels, row.levels) << row.network;
    EXPECT_EQ(cost.wire_tracks, row.tracks) << row.network;
    EXPECT_EQ(cost.wire_length, row.length) << row.network;
  }
}

uint32_t sum_over_distances(uint32_t most, const std::function<uint32_t(uint32_t)>& term) {
  uint32_t sum = 0;
  for (uint32_t distance = 1; distance <= most; distance *= 2) sum += term(distance);
  return sum;
}

uint32_t rotating_length(uint32_t lanes) {
  return sum_over_distances(lanes / 2, [lanes](uint32_t d) { return 2 * d * (lanes - d); });
}

/// Multiplexers per bit, switches, levels, tracks, length and control bits for N lanes, n = log2 N.
using ClosedForm = NetworkCost (*)(uint32_t N, uint32_t n);

struct ClosedFormRow {
  const char* network;
  Settings settings;
  ClosedForm form;
};

NetworkCost butterfly_pair_form(uint32_t N, uint32_t n) {
  const uint32_t shared = sum_over_distances(N / 4, [N](uint32_t d) {
    const uint32_t one = 2 * d;
    const uint32_t other = N / 2 / d;
    return one == other ? one + other : std::max(one, other);
  });
  return {2 * N * n + 2 * N, N * n + 2 * N, n + 2, 2 * N + shared, 2 * N * (N - 1), 2 * N * n + 2};
}

NetworkCost hypercube_form(uint32_t N, uint32_t n) {
  uint32_t select = 0;  // of n + 1 inputs
  while ((1u << select) < n + 1) ++select;
  return {N * (n + 1), N * (n + 2), 1 + select, N, N * N / 2 + (N * N / 2 - 2) / 3, 1 + N * select};
}

NetworkCost shifter_form(uint32_t N, uint32_t n) {
  const uint32_t further = sum_over_distances(N / 4, [N](uint32_t d) { return d * (N / 2 - d); });
  return {N * n + N / 2 * (n - 1), 2 * N * (n - 1) + N / 2,      2 * n - 1,
          N + 3 * (N / 2 - 1),     rotating_length(N) + further, 2 * n - 1};
}

const std::vector<ClosedFormRow>& closed_forms() {
  using U = uint32_t;
  using C = NetworkCost;
  static const std::vector<ClosedFormRow> rows = {
      {"crossbar", {}, [](U N, U n) { return C{N * (N - 1), N * N, n, N, N * (N - 1), N * n}; }},
      {"half_inputs",
       {},
       [](U N, U n) {
         const U switches = N == 4 ? 4 : N * N / 2 + N / 2;
         return C{N * (N / 2 - 1) + N / 2,     switches,       n, N,
                  N / 2 * (N - 1) + N * N / 4, N * (n - 1) + 1};
       }},
      {"half_outputs",
       {},
       [](U N, U n) {
         return C{N / 2 * (N - 1), N * N / 2, n, N + N / 2, 13 * N * N / 16 - 3 * N / 4, N / 2 * n};
       }},
      {"banked", banked("1", "1"),  // one bus
       [](U N, U n) { return C{N - 1, N, n, 1 + N / 2, N - 1 + N * N / 4, n}; }},
      {"benes",
       {},
       [](U N, U n) {
         const U stages = 2 * n - 1;
         return C{N * stages,      N / 2 * stages,        stages,
                  4 * (N - 1) - 2, N * (2 * (N - 1) - 1), N / 2 * stages};
       }},
      {"benes_copy",
       {},
       [](U N, U n) {
         const U stages = 4 * n - 1;
         return C{N * stages,      N / 2 * stages,        stages,
                  8 * (N - 1) - 2, N * (4 * (N - 1) - 1), N / 2 * (stages + n)};
       }},
      {"butterfly",
       {},
       [](U N, U n) { return C{N * n, N / 2 * n, n, 2 * (N - 1), N * (N - 1), N * n}; }},
      {"butterfly_pair", {}, butterfly_pair_form},
      {"omega",
       {},
       [](U N, U n) { return C{N * n, N / 2 * n, n, N / 2 * n, (N * N / 4 + N / 2) * n, N * n}; }},
      {"hierarchical", grouped("2"),
       [](U N, U n) {
         const U switches = N / 2 + (N == 4 ? 2 : N * N / 2);
         return C{N + N * (N / 2 - 1), switches, n, 2 + N, N * (N - 1), N * n};
       }},
      {"hypercube", {}, hypercube_form},
      {"quad", {}, [](U N, U) { return C{3 * N, 4 * N, 2, 4, 3 * N, 2 * N}; }},
      {"rotator",
       {},
       [](U N, U n) { return C{N * n, N * n - N / 2, n, 2 * (N - 1), rotating_length(N), n}; }},
      {"xor", {}, [](U N, U n) { return C{N * n, N / 2 * n, n, 2 * (N - 1), N * (N - 1), n}; }},
      {"shifter", {}, shifter_form},
      {"ring", ring("1"), [](U N, U) { return C{2 * N, 2 * N, 2, 2, 2 * (N - 1), N + 1}; }},
      {"ring", ring("2"), [](U N, U) { return C{4 * N, 5 * N, 3, 4, 4 * (N - 1), 2 * N + 1}; }},
      {"shared_memory", {}, [](U, U) { return C{}; }},
  };
  return rows;
}

TEST(ShuffleCosts, AreSumsOverTheWiringThatFollowTheClosedForms) {
  for (unsigned lanes = 4; lanes <= 64; lanes *= 2) {
    for (const ClosedFormRow& row : closed_forms()) {
      SCOPED_TRACE(std::string(row.network) + " of " + std::to_string(lanes) + " lanes");
      const NetworkCost form = row.form(lanes, log2_of(lanes));
      const NetworkCost cost = make_network(row.network, row.settings, lanes)->cost();
      EXPECT_EQ(cost.mux2, form.mux2 * kWordBits);
      EXPECT_EQ(cost.switches, form.switches);
      EXPECT_EQ(cost.mux_levels, form.mux_levels);
      EXPECT_EQ(cost.wire_tracks, form.wire_tracks);
      EXPECT_EQ(cost.wire_length, form.wire_length);
      EXPECT_EQ(cost.configuration_bits, form.configuration_bits);
    }
  }
}

TEST(ShuffleCosts, HaveAClosedFormForEveryNetwork) {
  for (const std::string& name : ShuffleNetworks::names()) {
    const auto& rows = closed_forms();
    const bool has_form = std::any_of(
        rows.begin(), rows.end(), [&](const ClosedFormRow& row) { return row.network == name; });
    EXPECT_TRUE(has_form || name == "toy_bus") << name;
  }
}

TEST(ShuffleCosts, CountBanksOfLanesByTheirPlaces) {
  for (const unsigned lanes : {8u, 16u, 32u, 64u}) {
    const unsigned depth = lanes / 4;
    const NetworkCost low = make_network("banked", banked("4", "1"), lanes)->cost();
    EXPECT_EQ(low.mux2, (lanes * 3 + lanes - 4) * kWordBits);
    EXPECT_EQ(low.wire_tracks, 4 + 4 * (depth / 2));
    EXPECT_EQ(low.wire_length, 4 * (lanes - 1) + 16 * (depth * depth / 4));
    EXPECT_EQ(low.configuration_bits, 2 * lanes + 4 * log2_of(depth));
    const NetworkCost high = make_network("banked", banked("4", "1", "high"), lanes)->cost();
    EXPECT_EQ(high.wire_tracks, 4 + depth / 2);
    EXPECT_EQ(high.wire_length, 4 * (lanes - 1) + 4 * (depth * depth / 4));
  }
}

/// A lane's result ends in a register with an enable; ring, butterfly_pair and hypercube hold
/// values between passes.
TEST(ShuffleCosts, CountRegistersAndEnables) {
  for (const std::string& name : ShuffleNetworks::names()) {
    const NetworkCost cost = make_network(name)->cost();
    const bool wires = name != "shared_memory";
    EXPECT_EQ(cost.result_registers, wires ? 1024u : 0u) << name;
    EXPECT_EQ(cost.lane_enables, wires ? 32u : 0u) << name;
    const bool holds = name == "ring" || name == "butterfly_pair" || name == "hypercube";
    EXPECT_EQ(cost.state_registers, holds ? 1024u : 0u) << name;
  }
  EXPECT_EQ(make_network("ring", ring("2"))->cost().state_registers, 2048u);
}

TEST(ShuffleCosts, AddABypassOf32MultiplexersABitAndALevel) {
  const NetworkCost plain = make_network("benes")->cost();
  const NetworkCost bypassed = make_network("benes", {{"shuffle.self_bypass", "1"}})->cost();
  EXPECT_EQ(bypassed.mux2, plain.mux2 + 32 * 32);
  EXPECT_EQ(bypassed.mux_levels, plain.mux_levels + 1);
  EXPECT_EQ(bypassed.wire_tracks, plain.wire_tracks);
  EXPECT_EQ(bypassed.wire_length, plain.wire_length);
  EXPECT_EQ(bypassed.configuration_bits, plain.configuration_bits + 32);
}

/// The lanes' wires reach into the add-on: a lane's wire to its neighbour is part of the one to its
/// quad, and a tree along the row takes 5 levels of 16 pitches.
TEST(ShuffleCosts, AddAQuadsCrossbarsAndABus) {
  const NetworkCost plain = make_network("butterfly")->cost();
  const NetworkCost quads = make_network("butterfly", {{"shuffle.quad_fast_path", "1"}})->cost();
  EXPECT_EQ(quads.mux2, plain.mux2 + (96 + 32) * 32);
  EXPECT_EQ(quads.configuration_bits, plain.configuration_bits + 2 * 32 + 32);
  const NetworkCost bus = make_network("butterfly", {{"shuffle.uniform_broadcast", "1"}})->cost();
  EXPECT_EQ(bus.mux2, plain.mux2 + (31 + 32) * 32);
  EXPECT_EQ(bus.mux_levels, 6u);
  EXPECT_EQ(bus.configuration_bits, plain.configuration_bits + 5 + 32);
}

TEST(ShuffleCosts, OfAnAddOnWithoutANetworkAreItsOwn) {
  const NetworkCost cost = make_network("shared_memory", {{"shuffle.quad_fast_path", "1"}})->cost();
  EXPECT_EQ(cost.mux2, 96u * 32);
  EXPECT_EQ(cost.mux_levels, 2u);
}

std::string fingerprint(const char* network, const Settings& settings = {}, unsigned lanes = 32) {
  return make_network(network, settings, lanes)->wiring().fingerprint();
}

TEST(Wiring, HasAFingerprintOfMultiplexersAndSelectsAndNotOfPlaces) {
  EXPECT_EQ(fingerprint("crossbar"), fingerprint("crossbar"));
  EXPECT_NE(fingerprint("crossbar"), fingerprint("crossbar", {}, 16));
  EXPECT_NE(fingerprint("crossbar"), fingerprint("crossbar", {{"shuffle.self_bypass", "1"}}));
  EXPECT_NE(fingerprint("xor"), fingerprint("butterfly")) << "the same wires, other selects";
  Wiring near(2);
  near.deliver({near.mux(near.group(), {0, 1}, 0), 1});
  Wiring far(2);
  far.deliver({far.mux(far.group(), {0, 1}, 1), 1});
  EXPECT_EQ(near.fingerprint(), far.fingerprint());
}

}  // namespace shuffle_cost_test
}  // namespace shflsim::model
