// SPDX-License-Identifier: Apache-2.0
// Clock reads by S2UR among operations of the MIO (scripts/lab/hw/flood.cu), beside what an H200
// gave (tests/data/h200/2026-11-30/flood.csv.gz).
#include <gtest/gtest.h>

#include "tests/support/probe.h"

namespace shflsim::model {
namespace flood_test {

struct Case {
  std::string kernel;
  uint32_t warps, measured, cycles;
};

/// Cycles from the first to the last clock read of the first warp.
uint32_t time_of(const Case& of) {
  constexpr size_t kReads = 9;
  test::Probe probe("h200/2026-11-30/flood.sm90.cubin.gz", of.kernel);
  probe.threads(128 * of.warps).buffer(1 << 20).buffer(4 * 8 * kReads).argument(0u);
  const auto clocks = probe.words_of("h200", {"fetch.warm=1", "fetch.warm_l0=0"});
  return clocks[kReads - 1] - clocks[0];
}

class ClockReadsByS2ur : public ::testing::TestWithParam<Case> {};

TEST_P(ClockReadsByS2ur, DoNotWaitForTheQueue) {
  const Case& of = GetParam();
  const uint32_t cycles = time_of(of);
  EXPECT_EQ(cycles, of.cycles);
  EXPECT_NEAR(cycles, of.measured, 0.01 * of.measured);
}

INSTANTIATE_TEST_SUITE_P(Rows, ClockReadsByS2ur,
                         ::testing::Values(Case{"sts", 1, 513, 513}, Case{"lds", 1, 514, 514}));

}  // namespace flood_test
}  // namespace shflsim::model
