// SPDX-License-Identifier: Apache-2.0
#include "model/global_memory/warp_access.h"

#include <gtest/gtest.h>

#include <functional>

namespace shflsim::model {
namespace warp_access_test {

using Pattern = std::function<uint64_t(unsigned lane)>;

traces::LaneAddresses addresses_of(const Pattern& pattern) {
  traces::LaneAddresses addresses{};
  for (unsigned lane = 0; lane < isa::kLanes; ++lane) addresses[lane] = pattern(lane);
  return addresses;
}

WarpAccess access_of(const Pattern& pattern, uint32_t bytes, AccessFacts facts = {},
                     isa::LaneMask lanes = isa::kAllLanes) {
  WarpAccess access;
  access.coalesce(addresses_of(pattern), lanes, bytes, facts, 3);
  return access;
}

/// Cycles from a lone warp's load to the next in a chain on an H200, minus those of one word.
uint32_t replay_of(const WarpAccess& access, uint32_t bytes) {
  const uint32_t wide = bytes <= 4 ? 0 : bytes <= 8 ? 1 : 4;
  return 2 * (access.part_wavefronts - 1) + access.tag_cycles - 1 + wide;
}

Pattern strided(uint64_t bytes) {
  return [bytes](unsigned lane) { return bytes * lane; };
}
Pattern lines(unsigned count) {
  return [count](unsigned lane) { return uint64_t{128} * (lane % count); };
}
Pattern blocks(unsigned count) {
  return [count](unsigned lane) { return uint64_t{128} * (lane * count / 32); };
}

TEST(WarpAccess, AStrideDecidesHowOftenTheBanksArePassed) {
  const uint32_t wavefronts[6] = {1, 2, 4, 8, 16, 32};
  const uint32_t sectors[6] = {4, 8, 16, 32, 32, 32};
  const uint32_t lines_touched[6] = {1, 2, 4, 8, 16, 32};
  for (unsigned i = 0; i < 6; ++i) {
    const WarpAccess access = access_of(strided(uint64_t{4} << i), 4);
    EXPECT_EQ(access.wavefronts, wavefronts[i]) << i;
    EXPECT_EQ(access.sectors, sectors[i]) << i;
    EXPECT_EQ(access.lines.size(), lines_touched[i]) << i;
  }
}

/// The measured cycles of chain_load32, chain_load64 and chain_load128 minus 31.
TEST(WarpAccess, TakesAsLongAsOnAnH200) {
  struct Row {
    Pattern pattern;
    uint32_t of4, of8, of16;
  };
  const Row rows[] = {
      {[](unsigned) { return 0; }, 0, 3, 10},
      {lines(2), 2, 7, 18},
      {lines(4), 6, 15, 34},
      {lines(8), 15, 32, 67},
      {lines(16), 33, 66, 69},
      {lines(32), 69, 70, 73},
      {blocks(2), 2, 3, 10},
      {blocks(4), 6, 7, 10},
      {blocks(8), 15, 16, 19},
      {blocks(16), 33, 34, 37},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(replay_of(access_of(row.pattern, 4), 4), row.of4);
    EXPECT_EQ(replay_of(access_of(row.pattern, 8), 8), row.of8);
    EXPECT_EQ(replay_of(access_of(row.pattern, 16), 16), row.of16);
  }
  const uint32_t of_stride[3][6] = {
      {0, 2, 6, 15, 33, 69}, {3, 7, 16, 34, 70, 70}, {10, 19, 37, 73, 73, 73}};
  for (unsigned width = 0; width < 3; ++width) {
    const uint32_t bytes = 4u << width;
    for (unsigned i = 0; i < 6; ++i)
      EXPECT_EQ(replay_of(access_of(strided(uint64_t{bytes} << i), bytes), bytes),
                of_stride[width][i])
          << bytes << " " << i;
  }
  // One word beyond the line's edge: five lines, and so two in one tag bank.
  EXPECT_EQ(replay_of(access_of([](unsigned l) { return 16 * (l + 1); }, 16), 16), 11u);
}

TEST(WarpAccess, ABankGivesAnyNumberOfLanesOneWord) {
  EXPECT_EQ(access_of([](unsigned lane) { return lane / 2 * 4; }, 4).wavefronts, 1u);
  // Different lines in different banks are accessed together.
  EXPECT_EQ(access_of([](unsigned lane) { return lane * 132; }, 4).wavefronts, 1u);
}

TEST(WarpAccess, FourTagBanksLookALineUpEach) {
  EXPECT_EQ(access_of([](unsigned lane) { return lane * 132; }, 4).tag_cycles, 8u);
  EXPECT_EQ(access_of([](unsigned lane) { return lane * 512; }, 4).tag_cycles, 8u);
  EXPECT_EQ(access_of([](unsigned lane) { return lane % 4 * 128; }, 4).tag_cycles, 1u);
}

TEST(WarpAccess, OnlyLanesThatExecuteCount) {
  const WarpAccess access = access_of(strided(128), 4, {}, 0x00010001);
  EXPECT_EQ(access.wavefronts, 2u);
  EXPECT_EQ(access.sectors, 2u);
  ASSERT_EQ(access.lines.size(), 2u);
  EXPECT_EQ(access.lines[0].line, 0u);
  EXPECT_EQ(access.lines[1].line, 16u);
}

TEST(WarpAccess, LanesThatCopyNothingTouchNothing) {
  AccessFacts facts;
  facts.kind = AccessKind::kPastL1Load;
  WarpAccess access;
  const auto half = [](unsigned lane) { return lane < 16 ? 4096 + lane * 16 : 0; };
  access.coalesce_copies(addresses_of(half), isa::kAllLanes, 16, facts);
  EXPECT_EQ(access.sectors, 8u);
  access.coalesce_copies(addresses_of([](unsigned) { return 0; }), isa::kAllLanes, 16, facts);
  EXPECT_EQ(access.sectors, 0u);
  EXPECT_TRUE(access.lines.empty());
}

TEST(WarpAccess, SectorsAreThoseTouched) {
  const WarpAccess access = access_of([](unsigned lane) { return 96 + lane % 16 * 4; }, 4);
  ASSERT_EQ(access.lines.size(), 2u);
  EXPECT_EQ(access.lines[0].sector_mask(), 0x8u);
  EXPECT_EQ(access.lines[1].sector_mask(), 0x1u);
  EXPECT_EQ(access.partial_lines, 0u);
}

TEST(WarpAccess, ALineIsPartialWhereASectorIs) {
  EXPECT_EQ(access_of(strided(4), 4).partial_lines, 0u);
  EXPECT_EQ(access_of(strided(8), 4).partial_lines, 2u);
  EXPECT_EQ(access_of([](unsigned) { return 0; }, 4).partial_lines, 1u);
  EXPECT_EQ(access_of(strided(1), 1).partial_lines, 0u);  // 32 bytes together
  EXPECT_EQ(access_of(strided(2), 1).partial_lines, 1u);
}

TEST(WarpAccess, AnAccessOverALinesEdgeTouchesBoth) {
  const WarpAccess access = access_of([](unsigned) { return 120; }, 16, {}, 1);
  ASSERT_EQ(access.lines.size(), 2u);
  EXPECT_EQ(access.lines[0].bytes[1], uint64_t{0xFF} << 56);
  EXPECT_EQ(access.lines[1].bytes[0], 0xFFu);
}

TEST(WarpAccess, LanesOnOneWordOfAnAtomicGoOneAfterTheOther) {
  const AccessFacts atomic{AccessKind::kAtomic, false};
  EXPECT_EQ(access_of([](unsigned) { return 0; }, 4, atomic).atomic_steps, 32u);
  EXPECT_EQ(access_of(strided(4), 4, atomic).atomic_steps, 4u);
  EXPECT_EQ(access_of(strided(128), 4, atomic).atomic_steps, 32u);
  EXPECT_EQ(access_of(lines(8), 4, atomic).atomic_steps, 32u);
  EXPECT_EQ(access_of(strided(4), 4).atomic_steps, 0u);
}

TEST(WarpAccess, TheSameWordOfLocalMemoryStandsSideBySide) {
  const AccessFacts local{AccessKind::kLoad, true};
  const WarpAccess word = access_of([](unsigned) { return 8; }, 4, local);
  EXPECT_EQ(word.wavefronts, 1u);
  EXPECT_EQ(word.lines.size(), 1u);
  EXPECT_EQ(word.sectors, 4u);
  const WarpAccess four = access_of([](unsigned) { return 16; }, 16, local);
  EXPECT_EQ(four.lines.size(), 4u);
  EXPECT_EQ(four.wavefronts, 4u);
  WarpAccess other;
  other.coalesce(addresses_of([](unsigned) { return 8; }), isa::kAllLanes, 4, local, 4);
  EXPECT_NE(other.lines[0].line, word.lines[0].line) << "each warp has its own";
}

}  // namespace warp_access_test
}  // namespace shflsim::model
