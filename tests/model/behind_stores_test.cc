// SPDX-License-Identifier: Apache-2.0
// Copies and atomics behind stores, and atomics on other blocks' memory
// (scripts/lab/hw/asynchronous/behind_stores.cu), beside what an H200 gave
// (tests/data/h200/2026-11-30/behind_stores.csv.gz).
#include <gtest/gtest.h>

#include "tests/support/probe.h"

namespace shflsim::model {
namespace behind_stores_test {

struct Case {
  std::string kernel;
  std::vector<uint32_t> numbers;
  uint32_t blocks, word, measured, cycles;
};

struct alignas(64) Maps {
  uint32_t words[64] = {};
};

uint32_t word_of(const Case& of) {
  constexpr size_t kBytes = 1 << 20, kPlace = 1 << 18;
  const bool is_order = of.kernel == "order";
  test::Probe probe("h200/2026-11-30/behind_stores.sm90.cubin.gz", of.kernel);
  probe.blocks(of.blocks).threads(32).shared(is_order ? 132096 : 0).buffer(kBytes);
  if (is_order) probe.buffer(kBytes);
  if (!is_order && of.kernel != "apart") probe.inside(kPlace);
  for (const uint32_t number : of.numbers) probe.argument(number);
  if (is_order) probe.argument(Maps{});
  return probe.words_of("h200", {"global_memory.l2_warm=1", "global_memory.far_latency=0"},
                        of.blocks)[of.word];
}

class BehindStores : public ::testing::TestWithParam<Case> {};

TEST_P(BehindStores, TakesAsLongAsOnAnH200) {
  const Case& of = GetParam();
  const uint32_t cycles = word_of(of);
  EXPECT_EQ(cycles, of.cycles);
  EXPECT_NEAR(cycles, of.measured, 0.12 * of.measured);
}

INSTANTIATE_TEST_SUITE_P(CopiesBegin, BehindStores,
                         ::testing::Values(Case{"order", {1, 32768, 0, 5, 1024}, 1, 7, 1224, 1171},
                                           Case{"order", {1, 32768, 600, 5, 1024}, 1, 7, 630, 577},
                                           Case{"order", {3, 32768, 0, 5, 1024}, 1, 7, 1465, 1422},
                                           Case{"order", {0, 8192, 0, 5, 1024}, 1, 7, 466, 511}));
INSTANTIATE_TEST_SUITE_P(AtomicsLeave, BehindStores,
                         ::testing::Values(Case{"atomics_0", {32, 64, 0}, 1, 3, 535, 547},
                                           Case{"atomics_0", {32, 64, 1}, 1, 3, 579, 547},
                                           Case{"atomics_4", {1, 64, 0}, 1, 3, 495, 497},
                                           Case{"atomics_3", {1, 64, 0}, 1, 3, 510, 508},
                                           Case{"atomics_3", {32, 64, 0}, 1, 3, 643, 652}));
INSTANTIATE_TEST_SUITE_P(AtomicsElsewhere, BehindStores,
                         ::testing::Values(Case{"apart", {0, 1, 0, 1}, 4, 0, 3699, 3587},
                                           Case{"apart", {1, 1, 0, 1}, 4, 0, 4253, 4321},
                                           Case{"apart", {2, 1, 0, 1}, 4, 0, 4134, 4132}));

}  // namespace behind_stores_test
}  // namespace shflsim::model
