// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/settings.h"

#include <gtest/gtest.h>

#include "tests/model/shuffle/patterns.h"

namespace shflsim::model {
namespace shuffle_settings_test {

using isa::LaneMap;
using isa::ShuffleMode;

/// A network with its solver and a data path.
class Built {
 public:
  explicit Built(std::unique_ptr<ShuffleNetwork> network)
      : network_(std::move(network)), wiring_(network_->wiring()), solver_(wiring_) {}

  const Wiring& wiring() const { return wiring_; }
  std::vector<Settings> settings(const LaneMap& map) const {
    return solver_.solve(network_->route(map));
  }
  /// The lanes that did not receive their source's word; lanes of shared memory are not checked.
  isa::LaneMask wrong(const LaneMap& map, const std::vector<Settings>& settings) const {
    DataPath path(wiring_, 0xDEAD);
    std::vector<uint32_t> words;
    for (uint32_t lane = 0; lane < isa::kLanes; ++lane) words.push_back(0xA000 + lane);
    isa::LaneMask wrong = 0;
    for (const Settings& pass : settings) {
      const std::vector<uint32_t> arrived = path.pass(words, pass.selects);
      for (unsigned lane = 0; lane < arrived.size(); ++lane) {
        const bool right = arrived[lane] == words[map.source[lane]];
        if (((pass.enables >> lane) & 1u) != 0 && !right) wrong |= 1u << lane;
      }
    }
    return wrong;
  }
  /// The lanes that the network's wires have to serve, each in one pass.
  isa::LaneMask by_wires(const LaneMap& map) const {
    isa::LaneMask lanes = map.executing;
    for (const Pass& pass : network_->route(map).passes) {
      if (!pass.through_memory) continue;
      for (const Delivery& delivery : pass.deliveries) lanes &= ~(1u << delivery.lane);
    }
    return lanes;
  }
  void expect_delivery(const LaneMap& map) const {
    const std::vector<Settings> passes = settings(map);
    isa::WideMask enabled = 0;
    for (const Settings& pass : passes) {
      ASSERT_EQ(enabled & pass.enables, 0u);
      enabled |= pass.enables;
    }
    ASSERT_EQ(enabled, by_wires(map));
    ASSERT_EQ(wrong(map, passes), 0u);
  }

 private:
  std::unique_ptr<ShuffleNetwork> network_;
  Wiring wiring_;
  SettingsSolver solver_;
};

class EveryNetworksSettings : public testing::TestWithParam<test::Design> {
 protected:
  /// The network with add-ons by the bits of `add_ons`.
  static Built built(unsigned lanes, unsigned add_ons = 0) {
    const char* const keys[] = {"shuffle.self_bypass", "shuffle.quad_fast_path",
                                "shuffle.uniform_broadcast"};
    test::Settings settings = GetParam().settings;
    for (unsigned bit = 0; bit < 3; ++bit) {
      settings.emplace_back(keys[bit], (add_ons >> bit) & 1u ? "1" : "0");
    }
    return Built(test::make_network(GetParam().network, settings, lanes));
  }
};

TEST_P(EveryNetworksSettings, DeliverEveryMapOfFourLanesUnderEveryMask) {
  const Built network = built(4);
  test::for_every_map(4, [&](const LaneMap& map) {
    if (!HasFatalFailure()) network.expect_delivery(map);
  });
}

TEST_P(EveryNetworksSettings, DeliverEveryShuffleByOneDistance) {
  const Built network = built(32);
  for (unsigned width = 2; width <= 32; width *= 2) {
    for (unsigned b = 0; b < width && !HasFatalFailure(); ++b) {
      for (const ShuffleMode mode :
           {ShuffleMode::kIdx, ShuffleMode::kUp, ShuffleMode::kDown, ShuffleMode::kBfly}) {
        network.expect_delivery(test::shfl(mode, b, width));
      }
    }
  }
}

TEST_P(EveryNetworksSettings, DeliverRandomMapsAndPermutations) {
  const Built network = built(32);
  std::mt19937 random(15);
  for (int count = 0; count < 500 && !HasFatalFailure(); ++count) {
    network.expect_delivery(test::random_map(&random));
    network.expect_delivery(test::random_permutation(&random));
  }
}

TEST_P(EveryNetworksSettings, DeliverWithAnyAddOns) {
  std::mt19937 random(16);
  for (unsigned add_ons = 1; add_ons < 8; ++add_ons) {
    const Built small = built(4, add_ons);
    test::for_every_map(4, [&](const LaneMap& map) {
      if (!HasFatalFailure()) small.expect_delivery(map);
    });
    const Built network = built(32, add_ons);
    for (int count = 0; count < 200 && !HasFatalFailure(); ++count) {
      network.expect_delivery(test::random_map(&random));
      network.expect_delivery(test::random_permutation(&random));
    }
  }
}

/// For every group there is a pass in which another select gives some lane a wrong word.
TEST_P(EveryNetworksSettings, MatterInEveryGroup) {
  const Built network = built(32);
  std::vector<bool> noticed(network.wiring().groups());
  std::mt19937 random(17);
  for (int count = 0; count < 150; ++count) {
    LaneMap map = count % 2 == 0 ? test::random_map(&random) : test::random_permutation(&random);
    if (count % 3 == 0) {
      for (unsigned lane = 0; lane < isa::kLanes; ++lane) {  // within the quads
        map.source[lane] = static_cast<uint8_t>((lane & ~3u) + map.source[lane] % 4);
      }
    }
    std::vector<Settings> passes = network.settings(map);
    for (Settings& pass : passes) {
      for (size_t group = 0; group < noticed.size(); ++group) {
        if (noticed[group]) continue;
        pass.selects[group] ^= 1u;
        noticed[group] = network.wrong(map, passes) != 0;
        pass.selects[group] ^= 1u;
      }
    }
  }
  for (size_t group = 0; group < noticed.size(); ++group) EXPECT_TRUE(noticed[group]) << group;
}

INSTANTIATE_TEST_SUITE_P(Shuffle, EveryNetworksSettings, testing::ValuesIn(test::designs()),
                         [](const auto& tested) { return std::string(tested.param.label); });

TEST(SettingsSolver, RefusesAScheduleThatTheWiresCannotDeliver) {
  const auto network = test::make_network("rotator");
  const SettingsSolver solver(network->wiring());
  Schedule schedule;  // two lanes at different distances in one pass
  schedule.passes[0].deliver(0, 1, 4 * 32 + 0);
  schedule.passes[0].deliver(1, 5, 4 * 32 + 1);
  EXPECT_THROW(solver.solve(schedule), std::logic_error);
}

/// The second pass of a two-step permutation reads what the first left in the registers after the
/// butterfly, also if a lane's own value would be right for some of the lanes.
TEST(SettingsSolver, TakesUpWhatAPassLeftInRegisters) {
  const Built network(test::make_network("butterfly_pair"));
  std::mt19937 random(18);
  unsigned steps = 0;
  for (int count = 0; count < 500; ++count) {
    const LaneMap map = test::random_permutation(&random);
    const std::vector<Settings> passes = network.settings(map);
    if (passes[0].enables == 0) ++steps;
    EXPECT_EQ(network.wrong(map, passes), 0u);
  }
  EXPECT_GT(steps, 200u);
}

}  // namespace shuffle_settings_test
}  // namespace shflsim::model
