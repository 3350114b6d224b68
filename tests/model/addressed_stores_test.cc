// SPDX-License-Identifier: Apache-2.0
// Stores, fences and atomics with known addresses.
#include <gtest/gtest.h>

#include <vector>

#include "tests/model/addressed_memory.h"

namespace shflsim::model {
namespace addressed_memory_test {

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

}  // namespace addressed_memory_test
}  // namespace shflsim::model
