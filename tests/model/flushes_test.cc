// SPDX-License-Identifier: Apache-2.0
// What fences of an SM wait for, with cycles of fence_history.txt.gz and fence_steps.txt.gz of
// tests/data/h200/2026-11-29.
#include "model/global_memory/flushes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "tests/support/files.h"

namespace shflsim::model {
namespace flushes_test {

TEST(Flushes, TakeTimeOnlyWhereTheSmHasAccessedMemory) {
  Flushes flushes(61);
  EXPECT_EQ(flushes.until_done(1000, 0), 0u);
  EXPECT_EQ(flushes.until_done(1000, 127), 127u);
  EXPECT_EQ(flushes.until_done(2000, 0), 0u);
}

TEST(Flushes, AreSharedByFencesThatComeTogether) {
  Flushes flushes(61);
  flushes.until_done(204, 127);
  EXPECT_EQ(flushes.until_done(206, 0), 125u) << "many of two warps, 204:397 206:395";
}

TEST(Flushes, LetLaterFencesGoALittleBehindTheirEnd) {
  Flushes flushes(61);
  flushes.until_done(204, 126);
  EXPECT_EQ(flushes.until_done(270, 0), 121u) << "many of two warps, 270:389, 119 beyond 270";
  EXPECT_EQ(flushes.until_done(334, 0), 57u) << "334:327";
  EXPECT_EQ(flushes.until_done(398, 0), 0u) << "398:271";
}

TEST(Flushes, FollowEachOtherWhereTheSmHasAccessedMemoryMeanwhile) {
  Flushes flushes(61);
  EXPECT_EQ(flushes.until_done(362, 162), 162u);
  EXPECT_EQ(flushes.until_done(492, 162), 255u) << "alone of two warps, 492:520, 250 beyond 270";
  EXPECT_EQ(flushes.until_done(1200, 162), 162u);
}

using Fence = std::pair<Cycle, Cycle>;  ///< its begin, and its cycles

/// The fences of a row of `many`, in the order of their begins.
std::vector<Fence> fences_of(const std::vector<std::string>& words) {
  std::vector<Fence> fences;
  for (size_t i = 6; i < words.size(); ++i) {
    const std::vector<std::string> parts = test::fields_of(words[i], ':');
    fences.emplace_back(test::number_of(parts[0], 10), test::number_of(parts[1], 10));
  }
  std::sort(fences.begin(), fences.end());
  return fences;
}

/// 1 to 16 warps fence 0 to 300 cycles apart behind a store or a copy; a fence behind nothing takes
/// 270 cycles.
TEST(Flushes, TakeWhatAnH200Took) {
  const std::string text = test::read_file(test::data_path("h200/2026-11-29/fence_history.txt.gz"));
  double off = 0;
  unsigned count = 0;
  for (const std::string& line : test::lines_of(text)) {
    const std::vector<std::string> words = test::fields_of(line, ' ');
    if (words[0] != "many" || (words[2] != "1" && words[2] != "3")) continue;
    Flushes flushes(61);
    Cycle takes = 140;
    for (const auto& [begin, cycles] : fences_of(words)) {
      const Cycle modelled = 270 + flushes.until_done(begin, std::exchange(takes, 0));
      off += std::abs(static_cast<double>(modelled) - static_cast<double>(cycles));
      ++count;
    }
  }
  EXPECT_EQ(count, 2166u);
  EXPECT_LT(off / count, 12.5) << "cycles, in the mean";
}

}  // namespace flushes_test
}  // namespace shflsim::model
