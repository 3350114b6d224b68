// SPDX-License-Identifier: Apache-2.0
// Products of a warpgroup in a matrix unit's queue, in the cycles of an H100.
#include <gtest/gtest.h>

#include "model/dispatch/dispatch.h"
#include "model/math/group_products.h"

namespace shflsim::model {
namespace group_products_test {

GroupProductParams hopper() {
  GroupProductParams params;
  params.shared_start = 28;
  params.register_start = 18;
  params.result = 14;
  params.integer_result = 12;
  params.columns = 2;
  params.shared_bytes = 128;
  params.least_interval = 13;
  params.queue = 6;
  return params;
}

isa::GroupProduct product(uint16_t columns, bool is_shared, bool is_integer = false) {
  return {columns, is_shared, is_integer, true};
}

struct Interval {
  uint16_t columns;
  uint32_t shared, registers;
};

TEST(GroupProducts, HoldTheUnitForTheirColumnsOrForTheBytesOfTheirFactors) {
  for (const Interval& row : {Interval{8, 18, 13}, Interval{16, 20, 13}, Interval{32, 24, 16},
                              Interval{64, 32, 32}, Interval{96, 48, 48}, Interval{128, 64, 64},
                              Interval{192, 96, 96}, Interval{256, 128, 128}}) {
    GroupProducts units("group_products", hopper());
    EXPECT_EQ(units.start(product(row.columns, true), 0).held, row.shared) << row.columns;
    EXPECT_EQ(units.start(product(row.columns, false), 0).held, row.registers) << row.columns;
  }
}

TEST(GroupProducts, ReadAAndThenBFromSharedMemory) {
  GroupProducts units("group_products", hopper());
  const GroupProducts::Times shared = units.start(product(128, true), 100);
  EXPECT_EQ(shared.reads, 128u);
  EXPECT_EQ(shared.reads_b, 144u);
  EXPECT_EQ(shared.has_read, 176u);
  const GroupProducts::Times registers = units.start(product(64, false), 1000);
  EXPECT_EQ(registers.reads, registers.reads_b);
  EXPECT_EQ(registers.reads_b, 1018u);
  EXPECT_EQ(registers.has_read, 1034u);
}

/// The reads of shared memory that an arbiter is told.
class Reads : public MioHeads {
 public:
  void head_came(unsigned, const MioHead&, Cycle) override {}
  void came_apart(unsigned, const MioRequest&, Cycle) override {}
  void product_reads(Cycle begin, Cycle end) override { all.emplace_back(begin, end); }
  std::vector<std::pair<Cycle, Cycle>> all;
};

/// Issues seven products, a cycle apart; returns when the next may issue.
Cycle next_of_seven(MioHeads* heads, uint32_t reads_first) {
  GroupProductParams params = hopper();
  params.reads_first = reads_first;
  GroupProducts units("group_products", params);
  MathPipes math("math", MathParams{});
  for (Cycle now = 100; now < 107; ++now)
    start_group_product(product(64, true), &units, &math, heads, now);
  return math.free_from(isa::Pipe::kTensor, 107);
}

TEST(GroupProducts, TheFirstWarpWaitsForRoomAndTellsTheReads) {
  Reads reads;
  EXPECT_EQ(next_of_seven(&reads, 1), 160u);
  ASSERT_EQ(reads.all.size(), 14u);
  EXPECT_EQ(reads.all[2], (std::pair<Cycle, Cycle>{160, 176}));
  EXPECT_EQ(reads.all[3], (std::pair<Cycle, Cycle>{176, 192}));
  EXPECT_EQ(next_of_seven(nullptr, 1), 107u) << "another warp of the group";
  Reads none;
  next_of_seven(&none, 0);
  EXPECT_TRUE(none.all.empty());
}

TEST(GroupProducts, ResultsComeBehindTheColumnsOneProductAfterTheOther) {
  GroupProducts units("group_products", hopper());
  EXPECT_EQ(units.start(product(64, true), 100).result, 100u + 28 + 32 + 14);
  EXPECT_EQ(units.start(product(64, true), 104).result, 100u + 28 + 32 + 32 + 14);
  EXPECT_EQ(units.start(product(64, true), 1000).result, 1000u + 28 + 32 + 14);
  EXPECT_EQ(units.start(product(64, false), 2000).result, 2000u + 18 + 32 + 14);
  EXPECT_EQ(units.start(product(64, true, true), 3000).result, 3000u + 28 + 32 + 12);
  EXPECT_EQ(units.latency_of(product(64, true)), 74u);
}

TEST(GroupProducts, TakeTurnsAtTheRegistersFromTheStartOfTheFirstOfThemToTheEndOfTheLast) {
  GroupProducts units("group_products", hopper());
  EXPECT_FALSE(units.is_busy(0));
  units.start(product(64, true), 100);
  EXPECT_FALSE(units.is_busy(100 + 27));  // its operands are on their way
  EXPECT_TRUE(units.is_busy(100 + 28));
  units.start(product(64, true), 101);
  EXPECT_TRUE(units.is_busy(100 + 28 + 63));
  EXPECT_FALSE(units.is_busy(100 + 28 + 64));
}

TEST(GroupProducts, LeaveTheRegistersAloneInAGapBetweenThem) {
  GroupProducts units("group_products", hopper());
  units.start(product(64, true), 100);  // 128 to 159
  units.start(product(64, true), 140);  // 168 to 199
  EXPECT_TRUE(units.is_busy(159));
  EXPECT_FALSE(units.is_busy(160));
  EXPECT_FALSE(units.is_busy(167));
  EXPECT_TRUE(units.is_busy(168));
  EXPECT_FALSE(units.is_busy(200));
}

TEST(GroupProducts, SixWaitAndTheNextIssuesWhenTheFirstOfThemStarts) {
  GroupProducts units("group_products", hopper());
  Cycle issued = 0;
  for (unsigned i = 0; i < 5; ++i) {
    const Cycle next = units.start(product(64, true), issued).next;
    EXPECT_EQ(next, issued + 1) << i;
    issued += 4;
  }
  EXPECT_EQ(units.start(product(64, true), 20).next, 28u);
  EXPECT_EQ(units.start(product(64, true), 28).next, 60u);
  EXPECT_EQ(units.start(product(64, true), 60).next, 92u);
}

}  // namespace group_products_test
}  // namespace shflsim::model
