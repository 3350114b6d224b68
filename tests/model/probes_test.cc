// SPDX-License-Identifier: Apache-2.0
// Probes of tests/data/h200/2026-11-28, compared with an H200.
#include <gtest/gtest.h>

#include "tests/support/probe.h"

namespace shflsim::model {
namespace probes_test {

/// Of warp 0, which stores, and warp 1, which stores nothing and ends a group, too.
std::vector<uint32_t> flushed(uint32_t bytes) {
  return test::Probe("h200/2026-11-28/engine.sm90.cubin.gz", "_Z15flush_of_othersPhjjjPj")
      .threads(64)
      .shared(80000)
      .buffer(1 << 17)
      .argument(bytes)
      .argument(0)
      .argument(0)
      .buffer(64)
      .words_of("gh100");
}

TEST(Probes, TheEndOfAGroupWaitsForTheStoresOfOtherWarps) {
  for (const auto& [bytes, measured] : {std::pair{8192u, 378u}, {32768u, 1146u}}) {
    const std::vector<uint32_t> words = flushed(bytes);
    EXPECT_NEAR(words[1], measured, 40) << bytes;
    EXPECT_NEAR(words[3], words[1], 4) << bytes;
  }
}

Cycle straight(const char* l2_warm, const char* warm) {
  return test::Probe("h200/2026-11-28/cold_code.sm90.cubin.gz", "dense")
      .threads(32)
      .buffer(4 * 192)
      .argument(0)
      .words_of("gh100", {l2_warm, warm})[159];
}

/// 160 lines of code; between launches the caches were emptied, or not. Three lines of the L1.5
/// take 49 to 53 cycles, which depends on the SM.
TEST(Probes, CodeIsInTheL15WhereTheCachesAreEmpty) {
  EXPECT_NEAR(static_cast<double>(straight("global_memory.l2_warm=0", "fetch.warm=0")), 2790, 230);
  EXPECT_NEAR(static_cast<double>(straight("global_memory.l2_warm=1", "fetch.warm=1")), 1672, 100);
}

}  // namespace probes_test
}  // namespace shflsim::model
