// SPDX-License-Identifier: Apache-2.0
// How long the next block waits for a block's stores (scripts/lab/hw/asynchronous/store_drain.cu),
// beside what an H200 gave (tests/data/h200/2026-11-29/store_drain.txt.gz).
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/probe.h"

namespace shflsim::model {
namespace store_probes_test {

/// Cycles from the last warp's end of the first block to the begin of the next one on the SM.
uint32_t gap(uint32_t warps, uint32_t stores, uint32_t pattern) {
  constexpr uint32_t kRow = 32, kBytes = 8 << 20, kAlone = 1;
  const auto words = test::Probe("h200/2026-11-29/store_drain.sm90.cubin.gz", "drain")
                         .blocks(2)
                         .threads(32 * warps)
                         .shared(200000)
                         .buffer(kBytes)
                         .argument(stores)
                         .argument(pattern)
                         .argument(kAlone)
                         .argument(0)
                         .words_of("h200");
  const uint32_t end = *std::max_element(&words[2], &words[2 + warps]);
  return words[kRow + 1] - words[1] - end;
}

struct Stores {
  uint32_t warps, stores, pattern;
  int32_t measured, cycles;  ///< beyond a block without stores
};

class EndsOfBlocks : public ::testing::TestWithParam<Stores> {};

TEST_P(EndsOfBlocks, WaitForTheStoresUnderWay) {
  const Stores& of = GetParam();
  const auto more =
      static_cast<int32_t>(gap(of.warps, of.stores, of.pattern) - gap(of.warps, 0, 0));
  EXPECT_EQ(more, of.cycles);
  EXPECT_NEAR(of.cycles, of.measured, std::max(120, of.measured * 2 / 5));
}

INSTANTIATE_TEST_SUITE_P(OfALine, EndsOfBlocks,
                         ::testing::Values(Stores{1, 40, 0, 2, 0}, Stores{4, 40, 0, -11, 0}));
INSTANTIATE_TEST_SUITE_P(OfSectors, EndsOfBlocks,
                         ::testing::Values(Stores{4, 16, 1, 155, 119}, Stores{4, 40, 1, 140, 118},
                                           Stores{8, 4, 1, 81, 113}, Stores{4, 16, 3, 109, 122}));
INSTANTIATE_TEST_SUITE_P(OfPartsOfSectors, EndsOfBlocks,
                         ::testing::Values(Stores{8, 16, 2, 284, 369}, Stores{16, 4, 2, 249, 347},
                                           Stores{1, 40, 4, 1346, 1879}));

}  // namespace store_probes_test
}  // namespace shflsim::model
