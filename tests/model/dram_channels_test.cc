// SPDX-License-Identifier: Apache-2.0
#include "model/global_memory/dram_channels.h"

#include <gtest/gtest.h>

#include <random>

namespace shflsim::model {
namespace dram_channels_test {

TEST(DramChannels, WriteAtOnceWhatIsNotCollected) {
  DramChannels dram({32, 0, 0, 0}, 2);
  dram.write(64, 10);  // the second channel
  EXPECT_EQ(dram.pass(0, 32, 10, 10), 10u);
  EXPECT_EQ(dram.pass(1, 32, 10, 10), 14u);
}

TEST(DramChannels, WriteTogetherWhatTheyHaveCollected) {
  DramChannels dram({32, 0, 0, 128}, 2);  // the second channel has 64 at the start
  dram.write(32, 10);                     // the second channel
  dram.write(64, 10);                     // the first
  EXPECT_EQ(dram.pass(0, 32, 10, 10), 10u);
  EXPECT_EQ(dram.pass(1, 32, 10, 10), 10u);
  dram.write(32, 10);
  EXPECT_EQ(dram.pass(0, 32, 10, 10), 12u);
  EXPECT_EQ(dram.pass(1, 32, 10, 10), 20u) << "behind 32 read and 128 written";
}

/// Mean wait of reads of 64 bytes of an idle DRAM, while others write this many bytes a cycle. An
/// H200 passes 2,424 bytes a cycle in 96 channels.
Cycle waits_beside(uint64_t bytes_per_cycle) {
  constexpr Cycle kCycles = 400000;
  constexpr Cycle kApart = 100;
  DramChannels dram({2424, 0, 0, 24 << 10}, 96);
  std::mt19937 draw(1);
  Cycle waited = 0;
  uint64_t due = 0;
  for (Cycle now = 0; now < kCycles; ++now) {
    for (due += bytes_per_cycle; due >= 128; due -= 128) dram.write(128, now);
    if (now % kApart == 0) waited += dram.pass(draw() % 96, 64, now, now) - now;
  }
  return waited / (kCycles / kApart);
}

// Measured: tests/data/h200/2026-11-30, dram_writes.csv, against loads beside nothing.
TEST(DramChannels, ReadsWaitLongBesideWrites) {
  EXPECT_EQ(waits_beside(0), 0u);
  EXPECT_EQ(waits_beside(358), 74u) << "110 on the chip";
  EXPECT_EQ(waits_beside(715), 142u) << "210 on the chip";
  EXPECT_EQ(waits_beside(1073), 214u) << "357 on the chip";
}

}  // namespace dram_channels_test
}  // namespace shflsim::model
