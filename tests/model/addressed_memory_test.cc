// SPDX-License-Identifier: Apache-2.0
// Loads of known addresses: tags of the L1, lines on their way, the L2 and the DRAM behind.
#include <gtest/gtest.h>

#include <vector>

#include "tests/model/addressed_memory.h"

namespace shflsim::model {
namespace addressed_memory_test {

TEST(AddressedMemory, TheL1HasWhatWasLoadedBefore) {
  Memory memory(with_tags());
  EXPECT_EQ(memory.load(words_from(0), 0), 200u);
  EXPECT_EQ(memory.load(words_from(0), 1000), 30u);
  EXPECT_EQ(memory.load(words_from(128), 2000), 200u);
}

TEST(AddressedMemory, AHitOnALineThatIsOnItsWayWaitsForIt) {
  Memory memory(with_tags());
  EXPECT_EQ(memory.load(words_from(0), 0), 200u);
  EXPECT_EQ(memory.load(words_from(0), 50), 150u);
  EXPECT_EQ(memory.load(words_from(0), 190), 30u);
}

TEST(AddressedMemory, OnlyTheSectorsThatAreMissingCome) {
  Memory memory(with_tags());
  const Pattern first_sector = [](unsigned lane) { return lane % 8 * 4; };
  EXPECT_EQ(memory.load(first_sector, 0), 200u);
  EXPECT_EQ(memory.counted("l2_bytes"), 32u);
  EXPECT_EQ(memory.load(words_from(0), 1000), 200u);
  EXPECT_EQ(memory.counted("l2_bytes"), 128u);
  EXPECT_EQ(memory.counted("l1_hits"), 1u);
  EXPECT_EQ(memory.counted("l1_misses"), 4u);
}

TEST(AddressedMemory, TheL1IsAsLargeAsItsStorage) {
  Memory memory(with_tags());
  for (uint64_t line = 0; line < 4; ++line) memory.load(words_from(line * 128), line * 1000);
  EXPECT_EQ(memory.load(words_from(0), 10000), 30u);
  EXPECT_EQ(memory.load(words_from(4 * 128), 11000), 200u);  // replaces line 1
  EXPECT_EQ(memory.load(words_from(0), 12000), 30u);
  EXPECT_EQ(memory.load(words_from(128), 13000), 200u);
}

TEST(AddressedMemory, SharedMemoryTakesItsPartOfTheStorage) {
  GlobalMemoryParams params = with_tags();
  params.l1_storage.bytes = 262144;
  params.l1_storage.carveout = 233472;
  params.l1_storage.reserved = 8192;
  EXPECT_EQ(params.l1_storage.lines(0), 1984u);
  EXPECT_EQ(params.l1_storage.lines(1), 1920u);  // 8 KiB
  EXPECT_EQ(params.l1_storage.lines(8 * 1024), 1920u);
  EXPECT_EQ(params.l1_storage.lines(8 * 1024 + 1), 1856u);
  EXPECT_EQ(params.l1_storage.lines(65 * 1024), 1184u);  // 100 KiB
  EXPECT_EQ(params.l1_storage.lines(196 * 1024), 416u);
  EXPECT_EQ(params.l1_storage.lines(197 * 1024), 160u);
  params.l1_storage.bytes = 100;
  EXPECT_EQ(params.l1_storage.lines(1), 0u);
}

TEST(AddressedMemory, EachWavefrontTakesACycleOfTheL1) {
  Memory memory(with_tags());
  const Pattern two_lines = [](unsigned lane) { return lane * 8; };
  memory.load(two_lines, 0);
  EXPECT_EQ(memory.load(two_lines, 1000), 31u);
  EXPECT_EQ(memory.free_from(1000), 1002u);
  EXPECT_EQ(memory.counted("global_wavefronts"), 4u);
  EXPECT_EQ(memory.counted("global_sectors"), 16u);
}

TEST(AddressedMemory, AWideLoadWaitsForEachHalfOfTheWarp) {
  Memory memory(with_tags());
  const Pattern one_word = [](unsigned) { return 0; };
  memory.load(one_word, 0, 8);
  EXPECT_EQ(memory.load(one_word, 1000, 8), 30u + 2 + 1);
  EXPECT_EQ(memory.free_from(1000), 1001u);
}

TEST(AddressedMemory, LinesFollowOneAnotherFromTheL2) {
  Memory memory(with_tags());
  const Pattern four_lines = [](unsigned lane) { return lane * 16; };
  // Wavefronts 0 to 3, and three lines of 128 bytes before the last one at 64 bytes per cycle.
  EXPECT_EQ(memory.load(four_lines, 0), 3u + 6 + 200);
}

TEST(AddressedMemory, WhatTheL2LacksComesFromTheDram) {
  GlobalMemoryParams params = with_tags();
  params.chip.l2_warm = 0;
  Memory memory(params);
  EXPECT_EQ(memory.past_l1(words_from(0), 0), 500u);
  EXPECT_EQ(memory.past_l1(words_from(0), 1000), 200u);
  EXPECT_EQ(memory.counted("dram_bytes"), 128u);
  EXPECT_EQ(memory.counted("l2_bytes"), 256u);
}

TEST(AddressedMemory, LoadsOfWhatOtherSmsWriteGoPastTheL1) {
  Memory memory(with_tags());
  memory.load(words_from(0), 0);
  EXPECT_EQ(memory.past_l1(words_from(0), 1000), 200u);
}

TEST(AddressedMemory, AnL1OfReadOnlyLoadsKeepsNoOthers) {
  GlobalMemoryParams params = with_tags();
  params.l1_loads = "read_only";
  Memory memory(params);
  EXPECT_EQ(memory.load(words_from(0), 0), 200u);
  EXPECT_EQ(memory.load(words_from(0), 1000), 200u);
  EXPECT_EQ(memory.read_only(words_from(0), 2000), 200u);
  EXPECT_EQ(memory.read_only(words_from(0), 3000), 30u);
}

TEST(AddressedMemory, AHitRateTakesThePlaceOfTheTags) {
  GlobalMemoryParams params = with_tags();
  params.l1_hit_rate = 50;
  Memory memory(params);
  std::vector<Cycle> latencies;
  for (Cycle now = 0; now < 4000; now += 1000) latencies.push_back(memory.load(words_from(0), now));
  EXPECT_EQ(latencies, (std::vector<Cycle>{200, 30, 200, 30}));
}

TEST(AddressedMemory, AnL1ThatIsEmptiedHasNoLine) {
  Memory memory(with_tags());
  memory.load(words_from(0), 0);
  memory.drop_lines();
  EXPECT_EQ(memory.load(words_from(0), 1000), 200u);
  EXPECT_EQ(memory.load(words_from(0), 2000), 30u);
}

GlobalMemoryParams that_holds_loads() {
  GlobalMemoryParams params = with_tags();
  params.known_store.outstanding = 1;
  params.known_store.waiting = 2;
  return params;
}

TEST(AddressedMemory, LoadsThatHavePassesStartWithTheLastOne) {
  Memory memory(that_holds_loads());
  const Pattern same_bank = [](unsigned lane) { return uint64_t{lane % 4} * 128; };
  memory.load(same_bank, 0);
  EXPECT_EQ(memory.load(same_bank, 1000), 30u) << "from the last of four passes on";
  EXPECT_EQ(memory.free_from(1001), 1001u) << "the L1 takes the next";
}

TEST(AddressedMemory, LoadsToSharedMemoryNeedNoRoomInTheL1) {
  const Pattern lines = [](unsigned lane) { return uint64_t{lane} * 132; };
  EXPECT_EQ(Memory(that_holds_loads()).past_l1(lines, 0), 1610u) << "four lines at a time";
  EXPECT_EQ(Memory(that_holds_loads()).to_shared(lines, 0), 222u);
}

TEST(AddressedMemory, TheL1TakesNoMoreWhileRequestsLeave) {
  GlobalMemoryParams params = that_holds_loads();
  params.l1_storage.bytes = 128 * 128;
  Memory memory(params);
  const Pattern lines = [](unsigned lane) { return uint64_t{lane} * 132; };
  memory.past_l1(lines, 0);  // the requests leave from cycle 7 to 39
  EXPECT_EQ(memory.free_from(1), 7u) << "32 of them wait";
  memory.past_l1(lines, 7);
  EXPECT_EQ(memory.free_from(8), 39u);
}

TEST(AddressedMemory, AsManyLinesAsTheL1HasMayBeOnTheirWay) {
  Memory memory(that_holds_loads());
  for (uint64_t line = 0; line < 4; ++line)
    EXPECT_EQ(memory.past_l1(words_from(line * 128), 0), 200u + 2 * line);
  EXPECT_EQ(memory.past_l1(words_from(4 * 128), 0), 400u) << "behind the first";
}

/// A line in each half of the L2: near the SM, and far.
std::vector<uint64_t> lines_of_halves(const GlobalMemoryParams& params) {
  ChipMemory chip("memory", params.chip);
  std::vector<uint64_t> lines(2);
  for (uint64_t line = 32; line < 32 * 64; line += 32)
    lines[chip.update({0, line, 1, false}, {}, 0).is_far ? 1 : 0] = line;
  return lines;
}

TEST(AddressedMemory, WhatIsFarTakesLonger) {
  GlobalMemoryParams params = with_tags();
  params.chip.far_latency = 70;
  params.chip.l2_warm = 0;
  const std::vector<uint64_t> lines = lines_of_halves(params);
  for (const uint64_t line : lines) {
    Memory memory(params);
    const Cycle far = line == lines[1] ? 70 : 0;
    EXPECT_EQ(memory.past_l1(words_from(line * 128), 0), 500 + far);
    EXPECT_EQ(memory.past_l1(words_from(line * 128), 1000), 200u) << "a copy is here";
    EXPECT_EQ(memory.atomic(words_from(line * 128), 2000), 400u + 3 * 2 + far);
  }
}

TEST(AddressedMemory, AnAtomicTakesItsLineOutOfTheL1) {
  Memory memory(with_tags());
  memory.load(words_from(0), 0);
  memory.atomic(words_from(0), 1000);
  EXPECT_EQ(memory.load(words_from(0), 2000), 200u);
}

}  // namespace addressed_memory_test
}  // namespace shflsim::model
