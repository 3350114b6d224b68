// SPDX-License-Identifier: Apache-2.0
// Stores of a warp to the same sectors, one after another (scripts/lab/hw/asynchronous/merges.cu),
// beside what an H200 gave (tests/data/h200/2026-11-30/merges.txt.gz).
#include <gtest/gtest.h>

#include "tests/support/probe.h"

namespace shflsim::model {
namespace store_merges_test {

/// As in merges.cu.
struct Where {
  uint32_t lanes, pitch, stride, count, apart, late;
};

struct Stores {
  std::string kernel;
  Where where;
  uint32_t measured, cycles;
};

/// Cycles of the stores' issue by four warps, and from their end to the begin of the next block.
uint32_t time_of(const std::string& kernel, const Where& where) {
  const auto words = test::Probe("h200/2026-11-30/merges.sm90.cubin.gz", kernel)
                         .blocks(2)
                         .threads(128)
                         .shared(150000)
                         .buffer(8 << 20)
                         .argument(where)
                         .words_of("h200");
  return words[2] + words[5] - words[3];
}

class StoresOfFourWarps : public ::testing::TestWithParam<Stores> {};

TEST_P(StoresOfFourWarps, TakeAsLongAsOnAnH200) {
  const Stores& of = GetParam();
  const uint32_t cycles = time_of(of.kernel, of.where);
  EXPECT_EQ(cycles, of.cycles);
  EXPECT_NEAR(cycles, of.measured, 0.35 * of.measured);
}

INSTANTIATE_TEST_SUITE_P(OfFourLines, StoresOfFourWarps,
                         ::testing::Values(Stores{"w4", {32, 0, 16, 16, 512, 0}, 1462, 1921},
                                           Stores{"w4", {32, 0, 16, 16, 512, 1}, 5408, 5607},
                                           Stores{"w4_far", {32, 0, 16, 16, 512, 0}, 5405, 5592}));
INSTANTIATE_TEST_SUITE_P(OfSixLines, StoresOfFourWarps,
                         ::testing::Values(Stores{"w2", {4, 96, 8, 16, 768, 0}, 1124, 1409},
                                           Stores{"w2_far", {4, 96, 8, 16, 768, 0}, 2164, 2264}));
INSTANTIATE_TEST_SUITE_P(OfEightLines, StoresOfFourWarps,
                         ::testing::Values(Stores{"w2", {4, 128, 8, 16, 1024, 0}, 2434, 2520},
                                           Stores{"d4", {32, 0, 32, 16, 1024, 0}, 10516, 9756},
                                           Stores{"w1", {32, 0, 32, 16, 1024, 0}, 2845, 3032}));

}  // namespace store_merges_test
}  // namespace shflsim::model
