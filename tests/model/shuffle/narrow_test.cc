// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/narrow.h"

#include <gtest/gtest.h>

#include "model/shuffle/network_cost.h"
#include "model/shuffle/shuffle_energy.h"
#include "tests/model/shuffle/patterns.h"

namespace shflsim::model {
namespace narrow_test {

using isa::LaneMap;

/// A network as a unit of fewer lanes per cycle, with a data path.
class NarrowPath {
 public:
  NarrowPath(const test::Design& design, unsigned lanes, unsigned width)
      : network_(test::make_network(design.network, design.settings, lanes)),
        solver_(network_->wiring()),
        unit_(network_->wiring(), width) {}

  /// Lanes that hold another word than their source's after all slices; lanes that shared memory
  /// serves are not checked.
  isa::LaneMask wrong(const LaneMap& map) const {
    DataPath path(unit_.wiring(), 0xDEAD);
    const auto lanes = static_cast<uint32_t>(unit_.wiring().inputs().size());
    std::vector<uint32_t> words;
    for (uint32_t lane = 0; lane < lanes; ++lane) words.push_back(0xA000 + lane);
    isa::LaneMask wrong = 0;
    for (const Settings& pass : solver_.solve(network_->route(map))) {
      isa::WideMask enabled = 0;
      for (const Settings& slice : unit_.settings(pass)) {
        EXPECT_LE(static_cast<unsigned>(__builtin_popcountll(slice.enables)), unit_.width());
        EXPECT_EQ(slice.selects.size(), unit_.wiring().groups());
        const std::vector<uint32_t> arrived = path.pass(words, slice.selects);
        enabled |= slice.enables;
        for (unsigned lane = 0; lane < lanes; ++lane) {
          const bool is_right = arrived[lane] == words[map.source[lane]];
          if (((slice.enables >> lane) & 1u) != 0 && !is_right) wrong |= 1u << lane;
        }
      }
      EXPECT_EQ(enabled, pass.enables);
    }
    return wrong;
  }

 private:
  std::unique_ptr<ShuffleNetwork> network_;
  SettingsSolver solver_;
  NarrowUnit unit_;
};

class EveryNarrowUnit : public testing::TestWithParam<test::Design> {};

TEST_P(EveryNarrowUnit, BringsEachLaneTheWordOfItsSource) {
  std::mt19937 random(21);
  for (const unsigned width : {1u, 4u, 8u, 12u, 16u, 31u}) {
    const NarrowPath path(GetParam(), isa::kLanes, width);
    for (int count = 0; count < 40; ++count) {
      ASSERT_EQ(path.wrong(test::random_map(&random)), 0u) << width;
      ASSERT_EQ(path.wrong(test::random_permutation(&random)), 0u) << width;
    }
  }
}

TEST_P(EveryNarrowUnit, BringsThemInEveryMapOfFourLanes) {
  for (const unsigned width : {1u, 2u, 3u}) {
    const NarrowPath path(GetParam(), 4, width);
    test::for_every_map(4, [&](const LaneMap& map) {
      if (!HasFailure()) {
        EXPECT_EQ(path.wrong(map), 0u) << width;
      }
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, EveryNarrowUnit, testing::ValuesIn(test::designs()),
                         [](const auto& design) { return design.param.label; });

TEST(NarrowUnit, OfACrossbarIsTheHalfRateCrossbarAndItsLike) {
  const Wiring crossbar = test::make_network("crossbar")->wiring();
  const NetworkCost half = cost_of(narrowed(crossbar, 16));
  const NetworkCost by_outputs = test::make_network("half_outputs")->cost();
  EXPECT_EQ(half.mux2, by_outputs.mux2);
  EXPECT_EQ(half.mux_levels, by_outputs.mux_levels);
  EXPECT_EQ(half.wire_tracks, by_outputs.wire_tracks);
  EXPECT_EQ(half.wire_length, by_outputs.wire_length);
  EXPECT_EQ(half.configuration_bits, by_outputs.configuration_bits);
  for (const unsigned width : {1u, 4u, 8u, 16u, 32u})
    EXPECT_EQ(cost_of(narrowed(crossbar, width)).mux2, uint64_t{width} * 31 * kWordBits);
}

struct NarrowRow {
  const char* network;
  uint64_t of_4, of_8, of_16, of_32;  ///< 2:1 multiplexers of a word
};

TEST(NarrowUnit, NeedsTheseMultiplexers) {
  const std::vector<NarrowRow> rows = {
      {"crossbar", 124, 248, 496, 992},
      {"half_outputs", 124, 248, 496, 496},
      {"butterfly", 36, 48, 80, 160},
  };
  for (const NarrowRow& row : rows) {
    const Wiring whole = test::make_network(row.network)->wiring();
    std::vector<uint64_t> found;
    for (const unsigned width : {4u, 8u, 16u, 32u})
      found.push_back(cost_of(narrowed(whole, width)).mux2 / kWordBits);
    EXPECT_EQ(found, (std::vector<uint64_t>{row.of_4, row.of_8, row.of_16, row.of_32}))
        << row.network;
  }
}

TEST(NarrowUnit, TakesACycleForEachSliceThatHoldsALane) {
  EXPECT_EQ(slices_of(0, 8), 1u);
  EXPECT_EQ(slices_of(0xFFFFFFFF, 32), 1u);
  EXPECT_EQ(slices_of(0xFFFFFFFF, 8), 4u);
  EXPECT_EQ(slices_of(0x00010001, 16), 2u);
  EXPECT_EQ(slices_of(0x0000FFFF, 16), 1u);
  EXPECT_EQ(slices_of(0x80000001, 12), 2u);
  EXPECT_EQ(slices_of(0xFFFFFFFF, 12), 3u);
  EXPECT_EQ(slices_of(0xFFFFFFFF, 1), 32u);
}

TEST(NarrowUnit, DrivesTheLanesWiresOnceAPassAndTheOthersInEachSlice) {
  const Wiring wiring = narrowed(test::make_network("crossbar")->wiring(), 16);
  const NetworkCost cost = cost_of(wiring);
  Technology technology;
  technology.lane_pitch = 1000;
  technology.wire_energy = 1;
  technology.activity = 100;
  const uint64_t length = 2 * cost.wire_length - cost.steady_length;
  EXPECT_DOUBLE_EQ(pass_energy(cost, technology, 32, 16), 32e-3 * static_cast<double>(length));
}

}  // namespace narrow_test
}  // namespace shflsim::model
