// SPDX-License-Identifier: Apache-2.0
// Global memory with known addresses.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "model/global_memory/global_memory.h"

namespace shflsim::model {
namespace addressed_memory_test {

using Pattern = std::function<uint64_t(unsigned lane)>;

GlobalMemoryParams with_tags() {
  GlobalMemoryParams params;
  params.latency = 200;
  params.dram_latency = 500;
  params.interval = 2;
  params.store_latency = 2;
  params.l1_hit_rate = Parameter::kWord;
  params.l1_latency = 30;
  params.l1_interval = 1;
  params.l1_loads = "all";
  params.l1_storage.bytes = 4 * 128;
  params.l1_storage.candidates = 4096;
  params.l1_part = 2;
  params.l2_bytes = 64;
  params.atomic_latency = 400;
  params.atomic_interval = 2;
  params.store_buffer = 4;
  params.store_drain = 4;
  params.store_sector = 1;
  params.chip.chip_bytes = 1024;
  params.chip.l2_capacity = 64;
  params.chip.l2_warm = 1;
  return params;
}

Pattern words_from(uint64_t address) {
  return [address](unsigned lane) { return address + 4 * lane; };
}

class Memory {
 public:
  explicit Memory(const GlobalMemoryParams& params)
      : chip_("chip", params.chip), unit_("global_memory", params) {
    unit_.chip.bind(chip_);
    unit_.loads_have_passes = params.known_store.waiting != 0;
  }
  /// Returns the cycles from `now` to the result.
  Cycle load(const Pattern& pattern, Cycle now, uint8_t bytes = 4) {
    return access(AccessKind::kLoad, false, pattern, now, bytes);
  }
  Cycle past_l1(const Pattern& pattern, Cycle now) {
    return access(AccessKind::kPastL1Load, false, pattern, now, 4);
  }
  /// LDGSTS.BYPASS
  Cycle to_shared(const Pattern& pattern, Cycle now) {
    to_shared_ = true;
    return access(AccessKind::kPastL1Load, false, pattern, now, 4);
  }
  Cycle read_only(const Pattern& pattern, Cycle now) {
    return access(AccessKind::kReadOnlyLoad, false, pattern, now, 4);
  }
  Cycle store(const Pattern& pattern, Cycle now) {
    return access(AccessKind::kStore, true, pattern, now, 4);
  }
  Cycle atomic(const Pattern& pattern, Cycle now, uint8_t bytes = 4) {
    return access(AccessKind::kAtomic, false, pattern, now, bytes);
  }
  void drop_lines() { unit_.drop_lines(); }
  Cycle free_from(Cycle now) const { return unit_.free_from(0, now); }
  Cycle fence(Cycle now) { return unit_.fence(now); }
  uint64_t counted(const char* key) const {
    isa::Code code;
    code.lines.resize(1);
    code.lines[0].pipe = isa::Pipe::kGlobal;
    std::vector<StatColumn> columns;
    unit_.counts().add_to(code, &columns);
    for (const StatColumn& column : columns) {
      if (column.key == key) return column.values.at(0);
    }
    return StatColumn::kNone;
  }

 private:
  Cycle access(AccessKind kind, bool is_store, const Pattern& pattern, Cycle now, uint8_t bytes) {
    Facts facts;
    facts.pipe = isa::Pipe::kGlobal;
    facts.is_store = is_store;
    facts.access = {kind, false};
    facts.access_bytes = bytes;
    facts.loads_to_shared = to_shared_;
    traces::LaneAddresses addresses{};
    for (unsigned lane = 0; lane < isa::kLanes; ++lane) addresses[lane] = pattern(lane);
    MioRequest request;
    request.facts = &facts;
    request.payload = unit_.expect(addresses, isa::kAllLanes, facts, 0);
    return unit_.start(0, request, now).result - now;
  }

  bool to_shared_ = false;
  ChipMemory chip_;
  GlobalMemory unit_;
};

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

TEST(AddressedMemory, AStoreMakesNoRoomInTheL1) {
  Memory memory(with_tags());
  EXPECT_EQ(memory.store(words_from(0), 0), 2u);
  EXPECT_EQ(memory.load(words_from(0), 1000), 200u);
  EXPECT_EQ(memory.store(words_from(0), 2000), 2u);
  EXPECT_EQ(memory.load(words_from(0), 3000), 30u);
}

TEST(AddressedMemory, StoresLeaveASectorACycleAndWaitWhereTheBufferIsFull) {
  Memory memory(with_tags());  // a store buffer of 4 * 4 cycles
  for (Cycle now = 0; now < 8; now += 2) memory.store(words_from(now * 64), now);
  EXPECT_EQ(memory.free_from(6), 8u);                         // leaves until 16
  memory.store([](unsigned lane) { return lane * 128; }, 8);  // 32 sectors, each in part: until 80
  EXPECT_EQ(memory.free_from(8), 64u);
}

TEST(AddressedMemory, AnAtomicTakesAsLongAsLanesMeet) {
  Memory memory(with_tags());
  EXPECT_EQ(memory.atomic([](unsigned) { return 0; }, 0), 400u + 31 * 2);
  EXPECT_EQ(memory.atomic(words_from(0), 1000), 400u + 3 * 2);
}

TEST(AddressedMemory, AnL1ThatIsEmptiedHasNoLine) {
  Memory memory(with_tags());
  memory.load(words_from(0), 0);
  memory.drop_lines();
  EXPECT_EQ(memory.load(words_from(0), 1000), 200u);
  EXPECT_EQ(memory.load(words_from(0), 2000), 30u);
}

/// 1.1 cycles for each sector written.
GlobalMemoryParams with_slow_l2() {
  GlobalMemoryParams params = with_tags();
  params.chip.l2_requests = 1;
  return params;
}

TEST(AddressedMemory, ALoadComesBehindTheStoresBeforeIt) {
  Memory memory(with_slow_l2());
  EXPECT_EQ(memory.store(words_from(0), 0), 2u);  // taken at 4.4
  EXPECT_EQ(memory.store(words_from(0), 0), 2u);  // 8.8
  EXPECT_EQ(memory.load(words_from(128), 0), 8u + 3 + 200);
  EXPECT_EQ(memory.load(words_from(256), 8), 2u + 200);
}

TEST(AddressedMemory, AWarpLeaves512CyclesBeforeTheL2HasItsStores) {
  Memory memory(with_slow_l2());
  for (int i = 0; i < 117; ++i) EXPECT_EQ(memory.store(words_from(0), 0), 2u) << i;
  EXPECT_EQ(memory.store(words_from(0), 0), 7u);  // 118 * 4.4 = 519.2
}

TEST(AddressedMemory, AFenceAlsoAsksTheL2BehindALoad) {
  GlobalMemoryParams params = with_tags();
  params.fence.accessed = 140;
  Memory memory(params);
  memory.load(words_from(0), 0);
  EXPECT_EQ(memory.fence(500), 140u);
  EXPECT_EQ(memory.fence(700), 0u);
}

TEST(AddressedMemory, AFenceWaitsForTheStoresBeforeIt) {
  GlobalMemoryParams params = with_slow_l2();
  params.fence.accessed = 140;
  Memory memory(params);
  EXPECT_EQ(memory.fence(0), 0u);
  memory.store(words_from(0), 0);
  EXPECT_EQ(memory.fence(1), 140u + 3);
  EXPECT_EQ(memory.fence(200), 0u);
  memory.store(words_from(0), 210);
  EXPECT_EQ(memory.fence(300), 140u);
}

TEST(AddressedMemory, AtomicsOfMoreBytesTakeLonger) {
  Memory memory(with_tags());
  const Cycle plain = memory.atomic(words_from(0), 0);
  EXPECT_EQ(memory.atomic(words_from(0), 1000, 8), plain + 5);
  EXPECT_EQ(memory.atomic(words_from(0), 2000, 16), plain + 9);
}

TEST(AddressedMemory, FencesLeaveTogetherOrAnIntervalApart) {
  GlobalMemoryParams params = with_tags();
  params.fence.interval = 430;
  Memory memory(params);
  EXPECT_EQ(memory.fence(1000), 0u);
  EXPECT_EQ(memory.fence(1014), 0u) << "with the first";
  EXPECT_EQ(memory.fence(1015), 415u);
  EXPECT_EQ(memory.fence(1400), 30u) << "with the second";
  EXPECT_EQ(memory.fence(1500), 360u);
  EXPECT_EQ(memory.fence(3000), 0u);
}

TEST(AddressedMemory, ALineOfOneSectorLeavesInTheTimeOfALine) {
  GlobalMemoryParams params = with_tags();
  params.store_sector = 1;
  params.known_store.line = 150;
  params.store_buffer = 0;
  params.known_store.exit = 1;
  Memory memory(params);
  EXPECT_EQ(memory.store(words_from(0), 0), 4u) << "four sectors";
  EXPECT_EQ(memory.store(words_from(0), 0), 8u);
  EXPECT_EQ(memory.store([](unsigned lane) { return uint64_t{lane} / 8 * 128 + lane % 8 * 4; }, 0),
            14u)
      << "four lines of a sector";
}

TEST(AddressedMemory, ALineThatIsWrittenInPartLeavesASectorLater) {
  GlobalMemoryParams params = with_tags();
  params.known_store.line = 131;
  params.store_buffer = 0;
  params.known_store.exit = 1;
  Memory memory(params);
  EXPECT_EQ(memory.store([](unsigned lane) { return uint64_t{lane} * 32; }, 0), 40u)
      << "eight lines of four sectors";
  EXPECT_EQ(memory.store([](unsigned lane) { return uint64_t{lane} * 256; }, 0), 40u + 64)
      << "32 lines of a sector";
  EXPECT_EQ(memory.store([](unsigned lane) { return uint64_t{lane} * 64; }, 0), 40u + 64 + 48)
      << "16 lines of two sectors";
}

TEST(AddressedMemory, AStoreToTheSectorsOfTheLastOneLeavesWithIt) {
  GlobalMemoryParams params = with_tags();
  params.known_store.line = 131;
  params.known_store.merged = 6;
  params.store_buffer = 0;
  params.known_store.exit = 1;
  Memory memory(params);
  const auto few = [](unsigned lane) { return uint64_t{lane} * 16; };
  const auto many = [](unsigned lane) { return uint64_t{lane} * 32; };
  const auto store = [&](auto at, uint64_t by) {
    return memory.store([&](unsigned lane) { return at(lane) + by; }, 0);
  };
  EXPECT_EQ(store(few, 0), 20u) << "four lines of four sectors";
  EXPECT_EQ(store(few, 4), 20u);
  EXPECT_EQ(store(many, 0), 20u + 40) << "eight lines: others";
  EXPECT_EQ(store(many, 4), 20u + 40 + 35) << "one of more than six lines leaves with the last one";
  EXPECT_EQ(store(few, 8), 20u + 40 + 35 + 20) << "not the last one's";
}

TEST(AddressedMemory, StoresWaitWhereTheL2IsFarBehind) {
  GlobalMemoryParams params = with_slow_l2();
  params.store_buffer = 0;
  Memory memory(params);
  for (int i = 0; i < 306; ++i) memory.store(words_from(0), 0);  // taken at 1346.4
  EXPECT_LT(memory.free_from(0), 10u);
  for (int i = 0; i < 194; ++i) memory.store(words_from(0), 0);  // taken at 2200
  EXPECT_EQ(memory.free_from(0), 850u);
}

TEST(AddressedMemory, AccessesWaitInTheL1BehindAtomicsThatCannotLeave) {
  GlobalMemoryParams params = with_tags();
  params.store_buffer = 0;
  params.known_store.outstanding = 1;
  params.known_store.outstanding_atomics = 4;
  params.known_store.waiting = 2;
  params.chip.atomic_word = 1000;
  Memory memory(params);
  memory.load(words_from(4096), 0);
  memory.atomic(words_from(0), 1000);
  EXPECT_EQ(memory.load(words_from(4096), 1002), 30u) << "four sectors may be on their way";
  memory.atomic(words_from(0), 1002);
  memory.atomic(words_from(0), 1003);
  constexpr Cycle kSecond = 1000 + 4 * 10 * 81 / 100;  // the slice begins it, and the third leaves
  EXPECT_EQ(memory.load(words_from(4096), 1004), kSecond - 2 - 1004 + 30);
  EXPECT_EQ(memory.free_from(1005), 1005u) << "one waits";
  memory.load(words_from(4096), 1005);
  EXPECT_EQ(memory.free_from(1006), 1006u) << "two wait";
  memory.load(words_from(4096), 1006);
  EXPECT_EQ(memory.free_from(1007), kSecond - 2) << "no more may wait";
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
