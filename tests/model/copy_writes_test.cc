// SPDX-License-Identifier: Apache-2.0
#include "model/global_memory/copy_writes.h"

#include <gtest/gtest.h>

#include "isa/machine/asynchronous_row.h"

namespace shflsim::model {
namespace {

constexpr uint32_t kBytes = 16;

/// Rows of so many lanes: 1 KiB apart in memory, `stride` bytes apart in shared memory.
traces::LaneAddresses rows_of(uint32_t lanes, uint32_t stride) {
  traces::LaneAddresses row{};
  for (uint32_t lane = 0; lane < isa::kLanes; ++lane) {
    const uint32_t in_row = lane % lanes * kBytes;
    row[lane] = isa::CopiedLane{0x7f0000 + uint64_t{lane / lanes} * 1024 + in_row,
                                4096 + lane / lanes * stride + in_row}
                    .packed();
  }
  return row;
}

uint32_t cycles_of(uint32_t lanes, uint32_t stride) {
  return copy_cycles(rows_of(lanes, stride), isa::kAllLanes);
}

// Beside them: cycles a copy that 64 copies of 8 warps took (behind.csv.gz, copy_cg_8_special).
TEST(CopyWrites, ALineOfSharedMemoryTakesAPartACycle) {
  EXPECT_EQ(cycles_of(32, 512), 4u);  // 2.9
  EXPECT_EQ(cycles_of(8, 128), 4u);   // 3.5
  EXPECT_EQ(cycles_of(4, 128), 4u);   // 3.8
  EXPECT_EQ(cycles_of(4, 64), 8u);    // 6.9
  EXPECT_EQ(cycles_of(2, 128), 4u);   // 8.3
  EXPECT_EQ(cycles_of(2, 64), 8u);    // 8.6
  EXPECT_EQ(cycles_of(2, 32), 16u);   // 15.2
}

TEST(CopyWrites, ALineOfMemoryGivesAPartACycle) {
  EXPECT_EQ(cycles_of(8, 160), 7u);  // 6.2
  EXPECT_EQ(cycles_of(4, 96), 6u);   // 7.9
}

TEST(CopyWrites, PartsWhoseSectorsAreSplitTakeTwoCycles) {
  EXPECT_EQ(cycles_of(16, 272), 8u);  // 7.6
  EXPECT_EQ(cycles_of(8, 144), 10u);  // 9.5
  EXPECT_EQ(cycles_of(4, 80), 11u);   // 12.4
}

TEST(CopyWrites, WithoutTargetsLinesStayLines) {
  traces::LaneAddresses row = rows_of(4, 80);
  for (uint64_t& word : row) word = isa::CopiedLane::unpacked(word).from;
  EXPECT_EQ(copy_cycles(row, isa::kAllLanes), 4u);
}

TEST(CopyWrites, ACopyWithoutLanesTakesACycle) { EXPECT_EQ(copy_cycles(rows_of(32, 512), 0), 1u); }

}  // namespace
}  // namespace shflsim::model
