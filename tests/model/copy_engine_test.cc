// SPDX-License-Identifier: Apache-2.0
// Cycles of copies that continue while their warps do.
#include "model/copy_engine/copy_engine.h"
#include "isa/code/launch_layout.h"

#include <gtest/gtest.h>

namespace shflsim::model {
namespace copy_engine_test {

using Way = isa::BulkCopy::Way;

/// 8 cycles per KiB, a latency of 200.
CopyEngineParams plain() {
  CopyEngineParams params;
  params.latency = 200;
  params.load_cycles = 8;
  params.multicast = 60;
  params.map_latency = 290;
  params.store_latency = 5;
  params.store_cycles = 32;
  params.load_row = 90;
  params.across_lines = 2;
  params.across_sectors = 3;
  params.memory_map_latency = 290;
  params.store_ahead = 17;
  params.reduction.latency = 17;
  params.reduction.cycles = 40;
  return params;
}

ClusterParams near_by() {
  ClusterParams params;
  params.arrival = 110;
  params.sent_latency = 98;
  params.sent_sector = 4;
  params.sent_row = 4;
  params.copy_latency = 180;
  params.copy_cycles = 50;
  return params;
}

/// Has every line in the L2, or in the DRAM.
class Memory : public MemoryPort {
 public:
  Cycle take(Cycle now) override { return now; }
  Fetched fetch(const LineRequest& request, Cycle /*now*/) override {
    ++lines;
    return {request.leaves + wait, is_dram ? 128u : 0u, is_far};
  }
  Cycle write(const LineRequest& /*request*/, Cycle now) override {
    ++lines;
    return now;
  }
  Updated update(const LineRequest& /*request*/, const Update& /*update*/, Cycle now) override {
    ++lines;
    return {now};
  }
  Cycle wait = 0;
  bool is_dram = false;
  bool is_far = false;
  unsigned lines = 0;
};

struct Bench {
  Bench() : engine("copy_engine", plain(), near_by(), 0, {300, 182}, 8) {
    engine.chip.bind(memory);
  }
  Memory memory;
  CopyEngine engine;
};

isa::BulkCopy copy_of(Way way, uint32_t bytes, size_t receivers = 1) {
  isa::BulkCopy copy;
  copy.way = way;
  copy.bytes = bytes;
  copy.address = 0x100000000;
  copy.receivers.resize(receivers);
  return copy;
}

TEST(CopyEngine, TellsABarrierOfALoadByItsBytes) {
  struct Row {
    uint32_t bytes;
    Cycle end;
    unsigned lines;
  };
  for (const Row& row : {Row{16, 1201, 1}, Row{1024, 1208, 8}, Row{32768, 1456, 256}}) {
    Bench bench;
    bench.engine.begin(copy_of(Way::kToShared, row.bytes), 1000);
    EXPECT_EQ(bench.engine.due(), row.end) << row.bytes;
    EXPECT_EQ(bench.memory.lines, row.lines) << row.bytes;
  }
}

TEST(CopyEngine, LetsLoadsFollowEachOther) {
  Bench bench;
  bench.engine.begin(copy_of(Way::kToShared, 4096), 1000);
  bench.engine.begin(copy_of(Way::kToShared, 1024), 1001);
  EXPECT_EQ(bench.engine.due(), 1232u);
  EXPECT_EQ(bench.engine.take().bytes, 4096u);
  EXPECT_EQ(bench.engine.due(), 1240u);
  EXPECT_EQ(bench.engine.take().bytes, 1024u);
  EXPECT_EQ(bench.engine.due(), kNever);
}

TEST(CopyEngine, WaitsForTheMemoryBehindTheSm) {
  Bench bench;
  bench.memory.wait = 7;
  bench.memory.is_dram = true;
  bench.engine.begin(copy_of(Way::kToShared, 128), 1000);
  EXPECT_EQ(bench.engine.due(), 1000u + 1 + 200 + 7 + 300);
}

TEST(CopyEngine, WaitsForTheOtherHalfOfTheL2) {
  Bench bench;
  bench.memory.is_far = true;
  bench.engine.begin(copy_of(Way::kToShared, 128), 1000);
  EXPECT_EQ(bench.engine.due(), 1000u + 1 + 200 + 182);
}

/// As boxes.csv.gz of tests/data/h100/asynchronous shows.
TEST(CopyEngine, TakesLongerForRowsThatDoNotBeginWithLinesOrSectors) {
  struct Row {
    uint32_t bytes;
    uint64_t from;
    Cycle cycles;
  };
  for (const Row& row : {Row{128, 0, 64}, Row{128, 32, 128}, Row{128, 16, 192}, Row{512, 64, 512},
                         Row{512, 16, 768}, Row{64, 16, 192}, Row{32, 112, 128}, Row{16, 0, 57}}) {
    isa::BulkCopy box = copy_of(Way::kToShared, row.bytes * 64);
    box.address += row.from;
    box.rows = {true, row.bytes, {64, 0, 0, 0}, {1024, 0, 0, 0}};
    Bench bench;
    bench.engine.begin(box, 1000);
    EXPECT_EQ(bench.engine.due(), 1200 + row.cycles) << row.bytes << " at " << row.from;
  }
}

/// Rows of 64 bytes that begin 16 bytes in front of a tensor whose rows begin with lines.
TEST(CopyEngine, TakesTheTimeOfRowsThatAreOutsideTheTensorInPart) {
  for (const uint16_t before : {uint16_t{0}, uint16_t{16}}) {
    isa::BulkCopy box = copy_of(Way::kToShared, 64 * 64);
    box.rows = {true, 64u - before, {64, 0, 0, 0}, {1024, 0, 0, 0}, before, 0};
    Bench bench;
    bench.engine.begin(box, 1000);
    EXPECT_EQ(bench.engine.due(), 1200u + (before == 0 ? 57 : 192)) << "192 as of rows at 16";
  }
}

struct WrittenRow {
  uint32_t bytes;
  uint64_t from;
  Cycle cycles;
};

/// Time until the sources of 64 such rows have been read.
Cycle written(const WrittenRow& row, bool reduces) {
  isa::BulkCopy box = copy_of(Way::kToGlobal, row.bytes * 64);
  box.address += row.from;
  box.rows = {true, row.bytes, {64, 0, 0, 0}, {1024, 0, 0, 0}};
  box.reduces = reduces;
  Bench bench;
  return bench.engine.begin(box, 1000) - 1000;
}

TEST(CopyEngine, StoresABoxByItsSectorsAndPartsOfLines) {
  for (const WrittenRow& row :
       {WrittenRow{128, 0, 4}, WrittenRow{128, 32, 4}, WrittenRow{128, 16, 7},
        WrittenRow{256, 16, 14}, WrittenRow{64, 16, 4}, WrittenRow{64, 112, 5},
        WrittenRow{16, 0, 2}})
    EXPECT_EQ(written(row, false), plain().store_latency + 64 * row.cycles)
        << row.bytes << " at " << row.from;
}

TEST(CopyEngine, ReducesABoxByItsSectorsAndLines) {
  for (const WrittenRow& row :
       {WrittenRow{16, 0, 1}, WrittenRow{64, 0, 3}, WrittenRow{64, 16, 4}, WrittenRow{64, 96, 4},
        WrittenRow{64, 112, 4}, WrittenRow{128, 0, 5}, WrittenRow{128, 16, 6}})
    EXPECT_EQ(written(row, true), plain().reduction.latency + 64 * row.cycles)
        << row.bytes << " at " << row.from;
}

TEST(CopyEngine, FetchesTheRowsOfABoxFromWhereTheyAre) {
  isa::BulkCopy box = copy_of(Way::kToShared, 1024);
  box.rows = {true, 256, {2, 2, 0, 0}, {1024, 65536, 0, 0}};
  Bench bench;
  bench.engine.begin(box, 1000);
  EXPECT_EQ(bench.memory.lines, 8u) << "four rows of two lines";
  EXPECT_EQ(bench.engine.due(), 1208u);
  box.rows.bytes = 0;
  bench.engine.begin(box, 2000);
  EXPECT_EQ(bench.memory.lines, 8u) << "nothing of a box outside the tensor";
}

TEST(CopyEngine, LoadsAMapAmongTheArgumentsSooner) {
  isa::BulkCopy box = copy_of(Way::kToShared, 1024);
  box.map = isa::LaunchLayout::kArgumentsAddress + 0x40;
  CopyEngineParams params = plain();
  params.map_latency = 47;
  Memory memory;
  CopyEngine engine("copy_engine", params, near_by(), 0, {300, 182}, 8);
  engine.chip.bind(memory);
  engine.begin(box, 1000);
  EXPECT_EQ(engine.due(), 1255u);
}

TEST(CopyEngine, LoadsATensorMapOnce) {
  isa::BulkCopy box = copy_of(Way::kToShared, 1024);
  box.map = 0x200000080;
  Bench bench;
  bench.engine.begin(box, 1000);
  EXPECT_EQ(bench.engine.due(), 1498u);
  bench.engine.take();
  bench.engine.begin(box, 1100);  // while the first copy waits for the map
  EXPECT_EQ(bench.engine.due(), 1506u);
  bench.engine.take();
  bench.engine.begin(box, 2000);
  EXPECT_EQ(bench.engine.due(), 2208u);
  bench.engine.take();
  box.map = 0x200000100;
  bench.engine.begin(box, 3000);
  EXPECT_EQ(bench.engine.due(), 3498u);
  box.way = Way::kToGlobal;
  box.map = 0x200000180;
  EXPECT_EQ(bench.engine.begin(box, 4000), 4310u) << "a store reads its source for 17 cycles";
  EXPECT_EQ(bench.engine.begin(box, 5000), 5037u);
}

TEST(CopyEngine, TakesLongerForSeveralBlocks) {
  Bench bench;
  bench.engine.begin(copy_of(Way::kToShared, 1024, 4), 1000);
  EXPECT_EQ(bench.engine.due(), 1268u);
  EXPECT_EQ(bench.engine.take().receivers.size(), 4u);
}

TEST(CopyEngine, HoldsTheGroupOfAStoreUntilItsSourceHasBeenRead) {
  Bench bench;
  EXPECT_EQ(bench.engine.begin(copy_of(Way::kToGlobal, 1024, 0), 1000), 1037u);
  EXPECT_EQ(bench.engine.begin(copy_of(Way::kToGlobal, 1024, 0), 1010), 1069u);
  isa::BulkCopy reduction = copy_of(Way::kToGlobal, 1024, 0);
  reduction.reduces = true;
  EXPECT_EQ(bench.engine.begin(reduction, 2000), 2057u);
  EXPECT_EQ(bench.engine.due(), kNever) << "no barrier hears of a store";
}

TEST(CopyEngine, HasAWayOfItsOwnToOtherBlocks) {
  Bench bench;
  bench.engine.begin(copy_of(Way::kToShared, 32768), 1000);
  bench.engine.begin(copy_of(Way::kToCluster, 1024), 1000);
  bench.engine.begin(copy_of(Way::kArrival, 0), 1000);
  EXPECT_EQ(bench.engine.due(), 1110u);
  bench.engine.take();
  EXPECT_EQ(bench.engine.due(), 1230u);
  bench.engine.take();
  EXPECT_EQ(bench.engine.due(), 1456u);
}

TEST(CopyEngine, SendsRegistersThatTheOtherSmTakesOneAfterAnother) {
  isa::BulkCopy words = copy_of(Way::kToCluster, 512);
  words.is_sent = true;
  Bench bench;
  ClusterWays ways;
  bench.engine.ways = &ways;
  bench.engine.begin(words, 1000);
  EXPECT_EQ(bench.engine.due(), 1126u) << "98, 12 for three further sectors, four rows";
  bench.engine.begin(words, 1004);
  bench.engine.take();
  EXPECT_EQ(bench.engine.due(), 1142u) << "one behind the other";
  words.reduces = true;
  words.bytes = 4;
  bench.engine.begin(words, 2000);
  bench.engine.take();
  EXPECT_EQ(bench.engine.due(), 2100u) << "of one lane, 1.25";
}

}  // namespace copy_engine_test
}  // namespace shflsim::model
