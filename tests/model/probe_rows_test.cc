// SPDX-License-Identifier: Apache-2.0
// What the rows of tests/data/h200/2026-11-29 say about fences, wide atomics and boxes that are
// partly outside, as the model has it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/support/files.h"

namespace shflsim::model {
namespace probe_rows_test {

using Words = std::vector<std::string>;

/// The rows of the file that begin with this word.
std::vector<Words> rows_of(const std::string& name, const std::string& first) {
  const std::string text = test::read_file(test::data_path("h200/2026-11-29/" + name));
  std::vector<Words> rows;
  for (const std::string& line : test::lines_of(text)) {
    Words words = test::fields_of(line, ' ');
    if (words[0] == first) rows.push_back(std::move(words));
  }
  return rows;
}

double number(const std::string& text) { return static_cast<double>(test::number_of(text, 10)); }

TEST(ProbeRows, FencesTakeTheTimeOfOneOfTwoHalvesOfTheL2) {
  constexpr double kBetween = 480, kBehindNothing = 271;
  double sums[2] = {0, 0}, counts[2] = {0, 0};
  for (const Words& row : rows_of("fence_places.txt.gz", "place")) {
    const size_t is_far = number(row[2]) > kBetween ? 1 : 0;
    EXPECT_EQ(number(row[3]) > kBetween, is_far == 1) << "behind a load as behind a store";
    sums[is_far] += number(row[2]);
    ++counts[is_far];
  }
  const double near = sums[0] / counts[0], far = sums[1] / counts[1];
  EXPECT_NEAR(near - kBehindNothing, 140, 1) << "global_memory.fence_accessed";
  EXPECT_NEAR(far - near, 154, 1) << "global_memory.fence_far";
}

TEST(ProbeRows, AtomicsOfMoreBytesTakeLonger) {
  std::map<std::string, double> least;  // of one lane at a place of its own, by kind
  for (const Words& row : rows_of("wide_atomics.txt.gz", "returning")) {
    if (row[2] != "3" || row[3] != "1") continue;
    least[row[1]] = number(row[4]);
    for (size_t i = 5; i < row.size(); ++i) least[row[1]] = std::min(least[row[1]], number(row[i]));
  }
  EXPECT_NEAR(least["1"] - least["0"], 13, 2) << "8 bytes";
  for (const char* kind : {"2", "3", "4", "6"})
    EXPECT_NEAR(least[kind] - least["0"], 31, 4) << kind;
}

TEST(ProbeRows, RowsInFrontOfATensorTakeLongerThanRowsAtItsBegin) {
  std::map<std::string, double> cycles;  // of a box of 36 rows of 64 bytes, by its first column
  for (const Words& row : rows_of("corners.txt.gz", "box"))
    if (row[2] == "16x36" && row[4] == "0" && row[6] == "0") cycles[row[5]] = number(row[7]);
  EXPECT_NEAR(cycles["-4"] - cycles["0"], 63, 3);
  EXPECT_NEAR(cycles["-4"] - cycles["4"], 0, 15);
}

}  // namespace probe_rows_test
}  // namespace shflsim::model
