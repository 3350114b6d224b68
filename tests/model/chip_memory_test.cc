// SPDX-License-Identifier: Apache-2.0
// The chip's L2 and DRAM by themselves, in one part; chip_memory_halves_test.cc has an L2 of two
// halves.
#include <gtest/gtest.h>

#include "tests/model/chip_memory_requests.h"

namespace shflsim::model {
namespace chip_memory_test {

TEST(ChipMemory, LetsALinePassAfterTheOther) {
  ChipMemory chip("memory", chip_of(64));
  EXPECT_EQ(chip.take(10), 10u);
  EXPECT_EQ(chip.take(10), 12u);
  EXPECT_EQ(chip.take(11), 14u);
  EXPECT_EQ(chip.take(100), 100u);
}

TEST(ChipMemory, CountsPartsOfCycles) {
  ChipMemory chip("memory", chip_of(100));
  EXPECT_EQ(chip.take(0), 0u);
  EXPECT_EQ(chip.take(0), 2u);  // 1.28
  EXPECT_EQ(chip.take(0), 3u);  // 2.56
  EXPECT_EQ(chip.take(0), 4u);  // 3.84
  EXPECT_EQ(chip.take(0), 6u);  // 5.12
}

TEST(ChipMemory, TheL2HasWhatWasAskedForBefore) {
  ChipMemory chip("memory", chip_of(32, 1));
  EXPECT_EQ(chip.fetch(sectors_of(7, 0xF), 10).dram_bytes, 128u);
  EXPECT_EQ(chip.fetch(sectors_of(7, 0xF), 20).dram_bytes, 0u);
  EXPECT_EQ(chip.fetch(sectors_of(7, 0xF), 20).starts, 20u);
  chip.write(sectors_of(9, 0xF), 25);
  EXPECT_EQ(chip.fetch(sectors_of(9, 0xF), 30).dram_bytes, 0u);
}

TEST(ChipMemory, TheL2HasTheSectorsThatCameWithABurst) {
  ChipMemoryParams params = chip_of(32, 1);
  for (const uint32_t burst : {32u, 64u, 128u}) {
    params.dram_burst = burst;
    ChipMemory chip("memory", params);
    EXPECT_EQ(chip.fetch(sectors_of(7, 1 << 1), 10).dram_bytes, burst);
    EXPECT_EQ(chip.fetch(sectors_of(7, 1 << 0), 10).dram_bytes, burst == 32 ? 32u : 0u);
    EXPECT_EQ(chip.fetch(sectors_of(7, 1 << 3), 10).dram_bytes, burst == 128 ? 0u : burst);
    EXPECT_EQ(chip.fetch(sectors_of(7, 0xF), 10).dram_bytes, burst == 32 ? 32u : 0u);
  }
}

TEST(ChipMemory, AChannelPassesNothingWhileItIsRefreshed) {
  ChipMemoryParams params = chip_of(32, 1);
  params.dram_refresh = 50;
  params.dram_refresh_interval = 1000;
  ChipMemory chip("memory", params);
  EXPECT_EQ(chip.fetch(sectors_of(7, 0xF), 10).starts, 50u);
  EXPECT_EQ(chip.fetch(sectors_of(8, 0xF), 10).starts, 54u);
  EXPECT_EQ(chip.fetch(sectors_of(9, 0xF), 100).starts, 100u);
  EXPECT_EQ(chip.fetch(sectors_of(10, 0xF), 1049).starts, 1050u);
}

TEST(ChipMemory, ReadsOfALineWaitForTheWritesBefore) {
  ChipMemoryParams params = chip_of(32, 1, true);
  params.line_write = 50;
  ChipMemory chip("memory", params);
  chip.write(sectors_of(7, 0xF), 10);
  EXPECT_EQ(chip.fetch(sectors_of(7, 0xF), 20).starts, 60u);
  EXPECT_EQ(chip.fetch(sectors_of(8, 0xF), 20).starts, 20u) << "another line";
  chip.write(sectors_of(7, 0x1, 0, true), 20);
  EXPECT_EQ(chip.fetch(sectors_of(7, 0x8), 20).starts, 110u) << "behind the first write";
  EXPECT_EQ(chip.fetch(sectors_of(7, 0x8), 120).starts, 120u);
}

TEST(ChipMemory, TheL2TakesANumberOfRequestsACycle) {
  ChipMemoryParams params = chip_of(32, 1, true);
  params.l2_requests = 1;
  ChipMemory chip("memory", params);
  EXPECT_EQ(chip.fetch(sectors_of(7, 0xF), 10).starts, 12u) << "1.1 for each two sectors";
  EXPECT_EQ(chip.fetch(sectors_of(7, 0x7), 10).starts, 14u) << "1 for one alone: 14.3";
  EXPECT_EQ(chip.fetch(sectors_of(7, 0xF), 20).starts, 22u);
}

TEST(ChipMemory, ReadsAndWritesWaitForAPartOfTheTimeOfEachOther) {
  ChipMemoryParams params = chip_of(32, 1, true);
  params.l2_requests = 1;
  ChipMemory chip("memory", params);
  EXPECT_EQ(chip.fetch(sectors_of(7, 0xF), 10).starts, 12u);
  EXPECT_EQ(chip.write(sectors_of(7, 0xF), 10), 15u) << "0.8, and 1.1 for each sector: 15.2";
  EXPECT_EQ(chip.write(sectors_of(7, 0x3, 0, true), 10), 18u) << "and 1.1 for a part: 18.5";
  EXPECT_EQ(chip.fetch(sectors_of(7, 0x3), 10).starts, 14u) << "12.2, 0.8, 0.6 and 1.1: 14.7";
}

TEST(ChipMemory, WhatComesFromTheDramIsWrittenToTheL2) {
  ChipMemoryParams params = chip_of(1024, 1);
  params.l2_requests = 1;
  ChipMemory chip("memory", params, 1, 100);
  EXPECT_EQ(chip.fetch(sectors_of(7, 0xF), 10).starts, 12u);
  EXPECT_EQ(chip.write(sectors_of(7, 0xF), 10), 15u) << "0.8 and 1.1 for each sector: 15.2";
  EXPECT_EQ(chip.write(sectors_of(7, 0xF), 110), 118u) << "1 for each that comes, and 4.4";
}

TEST(ChipMemory, WhatComesFromTheDramWaitsForTheWritesBefore) {
  ChipMemoryParams params = chip_of(1024, 1);
  params.l2_requests = 1;
  ChipMemory chip("memory", params, 1, 100);
  EXPECT_EQ(chip.write(sectors_of(9, 0xF), 10), 14u);
  EXPECT_EQ(chip.write(sectors_of(9, 0xF), 10), 18u);
  EXPECT_EQ(chip.fetch(sectors_of(7, 0xF), 10).starts, 19u) << "8.8 and 0.8 behind the read: 19.6";
}

TEST(ChipMemory, WritesDelayWhatComesFromTheDramAfterItsRequest) {
  ChipMemoryParams params = chip_of(1024, 1);
  params.l2_requests = params.l2_slices = 4;  // a request per cycle and slice
  ChipMemory chip("memory", params, 1, 100);
  const MemoryPort::Fetched fetched = chip.fetch(sectors_of(7, 0xF), 10);
  EXPECT_EQ(fetched.fill.comes, 110u);
  for (int i = 0; i < 5; ++i) chip.write(sectors_of(7, 0xF), 100);
  EXPECT_EQ(chip.lateness(fetched.fill, 109), 0u) << "not known before they come";
  EXPECT_EQ(chip.lateness(fetched.fill, 110), 2u) << "0.6 for each sector: 112 when they are done";
  for (int i = 0; i < 5; ++i) chip.write(sectors_of(7, 0xF), 110);
  EXPECT_EQ(chip.lateness(fetched.fill, 200), 2u) << "later writes wait behind them";
}

TEST(ChipMemory, AnL2OfOneSliceKnowsNoLateness) {
  ChipMemory chip("memory", chip_of(1024, 1), 1, 100);
  EXPECT_EQ(chip.fetch(sectors_of(7, 0xF), 10).fill.slice, AwaitedFill::kNone);
}

TEST(ChipMemory, ReadsWaitBehindThoseThatWaitForTheDram) {
  ChipMemoryParams params = chip_of(32, 1);
  params.l2_misses = 8;
  ChipMemory chip("memory", params);
  for (const uint64_t line : {7u, 8u, 9u, 10u})
    EXPECT_EQ(chip.fetch(sectors_of(line, 0xF), 10).starts, 10 + 4 * (line - 7));
  EXPECT_EQ(chip.fetch(sectors_of(7, 0xF), 10).starts, 14u) << "two lines still wait";
  EXPECT_EQ(chip.write(sectors_of(7, 0xF), 10), 10u) << "writes do not wait";
  EXPECT_EQ(chip.fetch(sectors_of(7, 0xF), 20).starts, 20u);
}

TEST(ChipMemory, ARequestThatLeavesLaterHoldsUpNoOther) {
  ChipMemoryParams params = chip_of(32, 1, true);
  params.l2_requests = 1;
  ChipMemory chip("memory", params);
  EXPECT_EQ(chip.fetch({0, 7, 0xF, false, 1000}, 10).starts, 1000u);
  EXPECT_EQ(chip.fetch(sectors_of(7, 0xF), 10).starts, 14u);
}

TEST(ChipMemory, GpcsThatWaitGetEqualShares) {
  ChipMemoryParams params = chip_of(32, 1, true);
  params.l2_requests = 1;
  ChipMemory chip("memory", params, 2);
  EXPECT_EQ(chip.fetch(sectors_of(7, 0xF, 0), 10).starts, 12u);
  EXPECT_EQ(chip.fetch(sectors_of(7, 0xF, 2), 10).starts, 14u) << "2.2, twice";
  EXPECT_EQ(chip.fetch(sectors_of(7, 0xF, 1), 10).starts, 16u) << "of the first GPC";
  EXPECT_EQ(chip.fetch(sectors_of(7, 0xF, 1), 90).starts, 92u);
}

TEST(ChipMemory, AGpcGetsNoMoreThanItsBytes) {
  ChipMemoryParams params = chip_of(32, 1, true);
  params.l2_requests = 1;
  params.gpc_reads = 29;  // of 58
  params.gpc_writes = 7;  // of 29
  ChipMemory chip("memory", params, 2);
  EXPECT_EQ(chip.fetch(sectors_of(7, 0xF), 10).starts, 14u);
  EXPECT_EQ(chip.write(sectors_of(7, 0xF), 90), 108u) << "4.4, 4.15 times";
}

TEST(ChipMemory, TheOldestOfManyWrittenLinesIsWrittenBack) {
  ChipMemory chip("memory", chip_of(32, 1));  // two of eight lines may be dirty
  for (uint64_t line = 0; line < 2; ++line) chip.write(sectors_of(line, 0xF), 0);
  EXPECT_EQ(chip.fetch(sectors_of(9, 1), 0).starts, 0u);
  chip.write(sectors_of(2, 0x3), 0);
  EXPECT_EQ(chip.fetch(sectors_of(10, 1), 0).starts, 5u) << "behind a sector and four";
}

TEST(ChipMemory, AWrittenLineThatHasToGoIsWrittenBack) {
  ChipMemory chip("memory", chip_of(32, 1));
  chip.write(sectors_of(0, 0xF), 0);
  Cycle last = 0;
  for (uint64_t line = 1; line < 100; ++line) last = chip.fetch(sectors_of(line, 1), 0).starts;
  EXPECT_EQ(last, 98u + 4);
}

TEST(ChipMemory, AnAtomicReadsWhatTheL2DoesNotHave) {
  ChipMemory chip("memory", chip_of(32, 1));
  chip.take(0);
  const MemoryPort::Updated first = chip.update(sectors_of(7, 1), {1, true}, 0);
  EXPECT_EQ(first.dram_bytes, 32u);
  EXPECT_EQ(first.there, 4u);
  EXPECT_EQ(chip.update(sectors_of(7, 1), {1, true}, 0).dram_bytes, 0u);
}

TEST(ChipMemory, AtomicsTakeTheTimeOfWrites) {
  ChipMemoryParams params = chip_of(32, 1, true);
  params.l2_requests = 1;
  ChipMemory chip("memory", params);
  EXPECT_EQ(chip.update(sectors_of(7, 0x3, 0, true), {1, false}, 10).starts, 13u) << "13.2";
  EXPECT_EQ(chip.update(sectors_of(7, 0x3), {1, false}, 10).starts, 17u) << "17.2";
  EXPECT_EQ(chip.update(sectors_of(7, 0x3), {1, true}, 10).starts, 22u) << "22.2";
}

TEST(ChipMemory, AtomicsInOneSliceFollowEachOther) {
  ChipMemoryParams params = chip_of(32, 1);
  params.atomic_word = 1000;
  ChipMemory chip("memory", params);
  EXPECT_EQ(chip.update(sectors_of(7, 1), {4, false}, 10).starts, 10u);
  EXPECT_EQ(chip.update(sectors_of(7, 1), {1, false}, 10).starts, 42u) << "4 times 8.1";
  EXPECT_EQ(chip.update(sectors_of(9, 1), {1, false}, 10).starts, 10u) << "another slice";
  EXPECT_EQ(chip.update(sectors_of(7, 0xF), {4, false}, 10).starts, 50u) << "50.5";
  EXPECT_EQ(chip.update(sectors_of(7, 1, 0, true), {2, false}, 10).starts, 82u) << "82.9";
  EXPECT_EQ(chip.update(sectors_of(7, 1), {1, false}, 10).starts, 102u) << "twice 10, of a part";
}

TEST(ChipMemory, OnlyWhatTheL2MissesTakesTimeOfTheDram) {
  ChipMemory chip("memory", chip_of(32, 1));
  EXPECT_EQ(chip.fetch(sectors_of(0, 0xF), 10).starts, 10u);
  EXPECT_EQ(chip.fetch(sectors_of(1, 1), 10).starts, 14u);
  EXPECT_EQ(chip.fetch(sectors_of(2, 1), 10).starts, 15u);
  EXPECT_EQ(chip.fetch(sectors_of(0, 0xF), 10).starts, 10u);
}

TEST(ChipMemory, AWarmL2HasWhatIsNewUntilItIsFull) {
  ChipMemory chip("memory", chip_of(32, 1, true));  // eight lines
  for (uint64_t line = 0; line < 8; ++line)
    EXPECT_EQ(chip.fetch(sectors_of(line, 1), 0).dram_bytes, 0u) << line;
  EXPECT_EQ(chip.fetch(sectors_of(8, 1), 0).dram_bytes, 32u);
}

TEST(ChipMemory, BytesWrittenBackCountForTheSmWhoseAccessNeedsTheRoom) {
  ChipMemory chip("memory", chip_of(32, 1));  // eight lines, two of which may be dirty
  for (uint64_t line = 0; line < 2; ++line) chip.write(sectors_of(line, 0x3), 0);
  EXPECT_EQ(chip.written_back(0), 0u);
  chip.write(sectors_of(2, 0xF, 1), 0);
  EXPECT_EQ(chip.written_back(0), 0u);
  EXPECT_EQ(chip.written_back(1), 64u) << "two sectors of the oldest line";
  EXPECT_EQ(chip.written_back(1), 0u);
}

TEST(ChipMemory, WithoutAnL2EverythingComesFromTheDram) {
  ChipMemory chip("memory", chip_of(32));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(chip.fetch(sectors_of(7, 1), 0).dram_bytes, 32u);
}

TEST(Outstanding, SaysWhenOnlySoManyAreLeft) {
  Outstanding outstanding(4);
  EXPECT_EQ(outstanding.add(3, 100), 0u);
  EXPECT_EQ(outstanding.add(1, 110), 0u);
  EXPECT_EQ(outstanding.add(1, 120), 100u) << "three of five";
  EXPECT_EQ(outstanding.add(2, 130), 100u) << "two, and two more";
  EXPECT_EQ(outstanding.add(9, 140), 140u) << "more than there is room for";
  EXPECT_EQ(outstanding.add(1, 90), 140u) << "nothing is forgotten";
}

}  // namespace chip_memory_test
}  // namespace shflsim::model
