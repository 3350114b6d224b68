// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/bit_activity.h"

#include <gtest/gtest.h>

#include <array>

namespace shflsim::isa {
namespace bit_activity_test {

using Row = std::array<uint32_t, kLanes>;

Row halves(uint32_t lower, uint32_t upper) {
  Row row;
  for (unsigned lane = 0; lane < kLanes; ++lane) row[lane] = lane < kLanes / 2 ? lower : upper;
  return row;
}

TEST(BitActivity, IsTheMeanBetweenHalvesOfAWarpAndBetweenInstructions) {
  BitActivity activity(3);
  EXPECT_EQ(activity.of(0), -1) << "no sample";
  activity.note(0, 0, halves(0, 0xFFFFFFFF).data(), kAllLanes);  // after 0 in all lanes
  EXPECT_EQ(activity.of(0), (1 + 0.5) / 2);
  activity.note(1, 0, halves(0, 0xFFFFFFFF).data(), kAllLanes);  // the same value again
  EXPECT_EQ(activity.of(1), (1 + 0.0) / 2);
  activity.note(2, 0, halves(0xFF, 0xFF).data(), kAllLanes);
  EXPECT_EQ(activity.of(2), (0 + (8 + 24) / 64.0) / 2);
}

TEST(BitActivity, ComparesEachRegisterOfAnOperandWithItsOwn) {
  BitActivity activity(2);
  activity.note(0, 0, halves(7, 7).data(), kAllLanes);
  activity.note(0, 1, halves(9, 9).data(), kAllLanes);
  activity.note(1, 0, halves(7, 7).data(), kAllLanes);
  activity.note(1, 1, halves(9, 9).data(), kAllLanes);
  EXPECT_EQ(activity.of(1), 0);
}

TEST(BitActivity, OfFewerLanesCountsTheseAlone) {
  BitActivity activity(2);
  activity.note(0, 0, halves(0xFFFF, 0).data(), 0x0000000F);  // no lane with another 16 behind it
  EXPECT_EQ(activity.of(0), 0.5);
  activity.note(1, 0, halves(0, 0).data(), 0);
  EXPECT_EQ(activity.of(1), -1);
}

TEST(BitActivity, SamplesOneIn24AtDifferentDistances) {
  BitActivity activity(1);
  for (unsigned i = 0; i < 100; ++i) EXPECT_FALSE(activity.is_due()) << "nobody has asked";
  activity.ask();
  std::array<unsigned, 40> distances{};
  unsigned since = 0;
  unsigned sampled = 0;
  for (unsigned i = 0; i < 24000; ++i) {
    ++since;
    if (!activity.is_due()) continue;
    if (sampled++ != 0) ++distances.at(since);
    since = 0;
  }
  EXPECT_NEAR(sampled, 1000, 25);
  for (unsigned distance = 16; distance < 32; ++distance) EXPECT_GT(distances[distance], 40u);
}

}  // namespace bit_activity_test
}  // namespace shflsim::isa
