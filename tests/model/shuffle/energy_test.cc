// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/shuffle_energy.h"

#include <gtest/gtest.h>

#include "tests/model/shuffle/patterns.h"

namespace shflsim::model {
namespace shuffle_energy_test {

Technology wires_only(uint32_t wire_energy) {
  Technology technology;
  technology.lane_pitch = 50;
  technology.wire_energy = wire_energy;
  technology.activity = 100;
  return technology;
}

/// docs/sources.md, "Energy": 31,744 bit-pitches at 50 um are 29 to 175 pJ at 18 to 110 fJ/bit/mm.
TEST(ShuffleEnergy, OfACrossbarsWiresIsAsPublished) {
  const NetworkCost cost = test::make_network("crossbar")->cost();
  EXPECT_NEAR(pass_energy(cost, wires_only(18), 32), 28.57, 0.01);
  EXPECT_NEAR(pass_energy(cost, wires_only(110), 32), 174.59, 0.01);
}

TEST(ShuffleEnergy, GrowsWithPassesPitchAndActivity) {
  const NetworkCost cost = test::make_network("banked")->cost();
  Technology technology = wires_only(100);
  const double one = shuffle_energy(cost, technology, 32, 1);
  EXPECT_DOUBLE_EQ(shuffle_energy(cost, technology, 32, 4), 4 * one);
  technology.lane_pitch = 100;
  EXPECT_DOUBLE_EQ(shuffle_energy(cost, technology, 32, 1), 2 * one);
  technology.activity = 50;
  EXPECT_DOUBLE_EQ(shuffle_energy(cost, technology, 32, 1), one);
}

TEST(ShuffleEnergy, CountsMultiplexersByLevelAndRegistersOnce) {
  const NetworkCost cost = test::make_network("crossbar")->cost();  // five levels
  Technology technology = wires_only(0);
  technology.mux_energy = 1000;
  EXPECT_DOUBLE_EQ(pass_energy(cost, technology, 32), 32 * 5 * 32 * 1e-3);
  technology.register_energy = 1000;
  EXPECT_DOUBLE_EQ(shuffle_energy(cost, technology, 32, 2), 2 * 32 * 5 * 32 * 1e-3 + 32);
}

}  // namespace shuffle_energy_test
}  // namespace shflsim::model
