// SPDX-License-Identifier: Apache-2.0
// Which lines share a slice of the L2, and which half is their home.
#include "model/global_memory/l2_hash.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace shflsim::model {
namespace l2_hash_test {

constexpr uint64_t kLinesOfKib = 8;

/// The slices of a KiB, numbered as they were found on the chip.
struct Kib {
  uint64_t number;
  int first;
  int second;
};
/// Rows of tests/data/h100/slices/slices.csv.gz.
const std::vector<Kib> kMeasured = {
    {0, 0, 1},      {1, 2, 3},      {2, 4, 5},    {3, 6, 7},    {4, 4, 7},      {5, 6, 8},
    {6, 9, 1},      {7, 0, 3},      {8, 10, 11},  {9, 12, 13},  {10, 14, 15},   {11, 16, 17},
    {12, 14, 18},   {13, 16, 15},   {14, 12, 11}, {15, 19, 13}, {40, 2, 3},     {41, 0, 1},
    {128, 9, 1},    {129, 3, 2},    {272, 2, 3},  {273, 0, 1},  {1000, 19, 10}, {1001, 11, 12},
    {2046, 22, 23}, {2047, 20, 21},
};

TEST(L2Hash, PutsLinesIntoTheSlicesOfAnH100) {
  const L2Hash hash(80, 2);
  std::map<size_t, int> known;
  for (const Kib& kib : kMeasured) {
    for (uint64_t line = 0; line < kLinesOfKib; ++line) {
      const size_t slice = hash.slice(kib.number * kLinesOfKib + line, 0);
      const int measured = line / 2 % 2 == 0 ? kib.first : kib.second;
      EXPECT_EQ(known.emplace(slice, measured).first->second, measured)
          << kib.number << ' ' << line;
      EXPECT_EQ(hash.slice(kib.number * kLinesOfKib + line, 1), slice + 40);
    }
  }
  EXPECT_EQ(known.size(), 24u);
}

// Latencies of every other line of 8 KiB (far.txt.gz of tests/data/h200/2026-11-30, the first row):
// three places of six are near to the SM, if the buffer begins 16 KiB behind 2 MiB.
TEST(L2Hash, PutsLinesIntoRingsOfSixOfAnH200) {
  const L2Hash hash(96, 2);
  EXPECT_EQ(hash.ring(), 6u);
  const std::vector<unsigned> latencies = {290, 333, 293, 337, 294, 297, 295, 298, 290, 293, 294,
                                           295, 324, 336, 324, 336, 346, 303, 344, 306, 306, 301,
                                           311, 304, 306, 296, 302, 298, 345, 331, 339, 335};
  for (uint64_t i = 0; i < latencies.size(); ++i)
    EXPECT_EQ(hash.slice(16 * kLinesOfKib + 2 * i, 0) % hash.ring() < 3, latencies[i] < 315) << i;
}

TEST(L2Hash, UsesAllRingsOfSlicesAlikeIn32Kib) {
  const L2Hash hash(80, 2);
  for (const uint64_t first : {uint64_t{0}, uint64_t{3} << 13, uint64_t{0x70000000} >> 7}) {
    std::vector<unsigned> lines(40);
    for (uint64_t line = first; line < first + 32 * kLinesOfKib; ++line)
      ++lines[hash.slice(line, 0)];
    for (size_t ring = 0; ring < 40; ring += 5) {
      unsigned all = 0;
      for (size_t i = ring; i < ring + 5; ++i) {
        EXPECT_LE(lines[i], 8u);
        EXPECT_GE(lines[i], 4u);
        all += lines[i];
      }
      EXPECT_EQ(all, 32u);
    }
  }
}

TEST(L2Hash, GivesEachHalfTheHomesOfTwoOfFourPages) {
  const L2Hash hash(80, 2);
  std::string homes;
  for (uint64_t page = 0; page < 24; ++page) homes += hash.home(page * 32) == 0 ? '0' : '1';
  EXPECT_EQ(homes, "011001100110011010011001");
  EXPECT_EQ(hash.home(uint64_t{0x700000000} >> 7), 1u) << "the first page of device memory";
}

TEST(L2Hash, OfOtherNumbersUsesAllSlices) {
  for (const size_t slices : {2u, 4u, 12u, 48u, 96u, 128u}) {
    const L2Hash hash(slices, 2);
    std::map<size_t, unsigned> lines;
    for (uint64_t line = 0; line < 1 << 15; ++line) ++lines[hash.slice(line, line % 2)];
    EXPECT_EQ(lines.size(), slices);
    for (const auto& [slice, count] : lines) {
      EXPECT_LT(slice, slices);
      EXPECT_GT(count, (1 << 15) / slices / 2) << slices;
    }
  }
}

}  // namespace l2_hash_test
}  // namespace shflsim::model
