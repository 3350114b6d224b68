// SPDX-License-Identifier: Apache-2.0
// Clock reads by S2UR among operations of the MIO (scripts/lab/hw/flood.cu), beside what an H200
// gave (tests/data/h200/2026-11-30/flood.csv.gz).
#include <gtest/gtest.h>

#include "tests/support/probe.h"

namespace shflsim::model {
namespace flood_test {

/// Cycles of one warp from its first to its last clock read.
uint32_t time_of(const std::string& kernel) {
  constexpr size_t kReads = 9;
  test::Probe probe("h200/2026-11-30/flood.sm90.cubin.gz", kernel);
  probe.threads(128).buffer(1 << 20).buffer(4 * kReads).argument(0u);
  const auto clocks = probe.words_of("h200", {"fetch.warm=1", "fetch.warm_l0=0"});
  return clocks[kReads - 1] - clocks[0];
}

TEST(ClockReadsByS2ur, DoNotWaitForTheQueue) {
  EXPECT_EQ(time_of("sts"), 513u) << "an H200: 513";
  EXPECT_EQ(time_of("lds"), 514u) << "an H200: 514";
}

}  // namespace flood_test
}  // namespace shflsim::model
