// SPDX-License-Identifier: Apache-2.0
// Waits, words sent to other blocks, atomics there, and sources that accesses keep
// (scripts/lab/hw/asynchronous/messages.cu), beside what an H200 gave
// (tests/data/h200/2026-11-30/messages.csv.gz).
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/probe.h"

namespace shflsim::model {
namespace messages_test {

struct Case {
  std::string kernel;
  std::vector<uint32_t> numbers;
  uint32_t warps, word, measured, cycles;
};

std::vector<uint32_t> words_of(const Case& of) {
  constexpr size_t kBytes = 1 << 20;
  const bool waits = of.kernel == "wakes";
  const uint32_t blocks = waits ? 1 : 4;
  test::Probe probe("h200/2026-11-30/messages.sm90.cubin.gz", of.kernel);
  probe.blocks(blocks).threads(32 * of.warps).buffer(kBytes);
  if (waits) probe.buffer(kBytes);
  for (const uint32_t number : of.numbers) probe.argument(number);
  if (of.kernel == "keeps") probe.inside(kBytes / 2);
  return probe.words_of("h200", {"global_memory.l2_warm=1", "fetch.warm=1", "fetch.warm_l0=0"},
                        blocks);
}

class Messages : public ::testing::TestWithParam<Case> {};

TEST_P(Messages, TakeAsLongAsOnAnH200) {
  const Case& of = GetParam();
  const uint32_t cycles = words_of(of)[of.word];
  EXPECT_EQ(cycles, of.cycles);
  EXPECT_NEAR(cycles, of.measured, 0.06 * of.measured);
}

INSTANTIATE_TEST_SUITE_P(WordsArrive, Messages,
                         ::testing::Values(Case{"messages", {4, 1, 1, 1}, 1, 24, 348, 349},
                                           Case{"messages", {4, 1, 32, 3}, 1, 24, 368, 370},
                                           Case{"messages", {4, 8, 32, 3}, 1, 24, 489, 491},
                                           Case{"messages", {0, 8, 32, 3}, 1, 24, 543, 540},
                                           Case{"messages", {3, 8, 32, 3}, 1, 24, 635, 628}));
INSTANTIATE_TEST_SUITE_P(SourcesAreKept, Messages,
                         ::testing::Values(Case{"keeps", {0, 16}, 1, 8, 397, 395},
                                           Case{"keeps", {1, 16}, 1, 8, 403, 395},
                                           Case{"keeps", {6, 16}, 1, 8, 1496, 1484},
                                           Case{"keeps", {7, 16}, 1, 8, 331, 331}));
INSTANTIATE_TEST_SUITE_P(
    AtomicsOnOneWord, Messages,
    ::testing::Values(Case{"steps", {0, 8, 32, 1, 0, 1, 0}, 2, 145, 612, 636},
                      Case{"steps", {0, 8, 8, 1, 0, 1, 0}, 2, 145, 677, 712},
                      Case{"steps", {0, 8, 4, 1, 0, 1, 0}, 2, 145, 954, 968},
                      Case{"steps", {0, 8, 8, 4, 0, 1, 0}, 2, 145, 925, 966},
                      Case{"steps", {0, 8, 4, 1, 0, 3, 0}, 2, 145, 1223, 1222}));

// From the arrival until each of eight warps goes on: 157 to 171 cycles on the chip, two apart.
TEST(Messages, WakeOneWarpAfterAnother) {
  const std::vector<uint32_t> words = words_of({"wakes", {0, 0}, 9, 0, 0, 0});
  constexpr unsigned kThird = 2 * 64;
  std::vector<uint32_t> woken;
  for (unsigned warp = 1; warp < 9; ++warp)
    woken.push_back(words[kThird + 4 * warp + 2] - words[kThird + 1]);
  std::sort(woken.begin(), woken.end());
  EXPECT_EQ(woken, (std::vector<uint32_t>{165, 167, 169, 171, 173, 175, 177, 179}));
}

}  // namespace messages_test
}  // namespace shflsim::model
