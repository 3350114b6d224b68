// SPDX-License-Identifier: Apache-2.0
#include "model/mio/shared_pipe.h"

#include "tests/model/mio_fakes.h"

namespace shflsim::model {
namespace shared_pipe_test {

MioParams with_split(uint32_t operands) {
  MioParams split = pipe_params();
  split.split_operands = operands;
  return split;
}

/// One operand and one slot per cycle.
MioParams fast() {
  MioParams each_cycle = pipe_params();
  each_cycle.collect_operand = 1;
  each_cycle.beat_interval = 1;
  return each_cycle;
}

using Bench = ArbiterBench<SharedPipe>;

const Facts kLoad = request_to(isa::Pipe::kShared);
const Facts kStore = request_to(isa::Pipe::kShared, 2);
const Facts kShuffle = request_to(isa::Pipe::kShuffle);
const Facts kShuffleByRegister = request_to(isa::Pipe::kShuffle, 2);
const Facts kGlobalLoad = request_to(isa::Pipe::kGlobal);

TEST(SharedPipe, ReadsAnOperandAndGrantsASlot) {
  Bench bench(pipe_params());
  bench.put(1, kLoad, 10);
  EXPECT_EQ(bench.arbiter.due(), 14u);
  bench.run(10, 30);
  EXPECT_EQ(bench.part[1].pops, std::vector<Cycle>{14});
  EXPECT_EQ(bench.part[1].left, 1u);
  EXPECT_EQ(bench.shared.starts, (Events{{1, 16}}));
  EXPECT_EQ(bench.part[1].results, std::vector<Cycle>{16 + FakeUnit::kLatency});
  EXPECT_EQ(bench.part[1].reads, std::vector<Cycle>{16 + 5});
  EXPECT_EQ(bench.arbiter.due(), kNever);
}

TEST(SharedPipe, ReadsOneOperandAfterTheOther) {
  const Facts three = request_to(isa::Pipe::kShared, 3);
  Bench bench(pipe_params());
  bench.put(0, three, 10);
  bench.run(10, 30);
  EXPECT_EQ(bench.shared.starts, (Events{{0, 14 + 3 * 2}}));
  EXPECT_EQ(bench.part[0].reads, std::vector<Cycle>{20 + 5});
}

TEST(SharedPipe, TakesTheTimeOfAnOperandWhereThereIsNone) {
  const Facts none = request_to(isa::Pipe::kShared, 0);
  Bench bench(pipe_params());
  bench.put(0, none, 10);
  bench.run(10, 30);
  EXPECT_EQ(bench.shared.starts, (Events{{0, 16}}));
}

TEST(SharedPipe, LetsGoOfTheSourcesOfGlobalMemoryInItsSlot) {
  Bench bench(pipe_params());
  bench.global.free = 25;
  bench.put(0, kGlobalLoad, 10);
  bench.run(10, 24);
  EXPECT_TRUE(bench.part[0].reads.empty());
  bench.run(25, 30);
  EXPECT_EQ(bench.global.starts, (Events{{0, 25}}));
  EXPECT_EQ(bench.part[0].reads, std::vector<Cycle>{25 + 3});
}

/// Shuffles let others go first for so many cycles.
MioParams patient(MioParams params, uint32_t cycles) {
  params.shuffle_patience = cycles;
  return params;
}

TEST(SharedPipe, LetsALoadGoBeforeAShuffle) {
  Bench bench(patient(pipe_params(), 8));
  bench.put(0, kShuffle, 10);
  bench.put(1, kLoad, 10);
  bench.run(10, 40);
  EXPECT_EQ(bench.shared.starts, (Events{{1, 16}}));
  EXPECT_EQ(bench.shuffle.starts, (Events{{0, 17}}));
}

TEST(SharedPipe, ServesAShuffleThatHasWaited) {
  Bench bench(patient(fast(), 8));
  bench.put(0, kShuffle, 10);
  for (int i = 0; i < 12; ++i) bench.put(1, kLoad, 10);
  bench.run(10, 60);
  EXPECT_EQ(bench.shuffle.starts, (Events{{0, 15 + 8}}));
}

TEST(SharedPipe, ServesTheSubPartitionWhoseLastBeatIsOldest) {
  Bench bench(patient(pipe_params(), 8));
  bench.put(1, kLoad, 10);
  bench.put(0, kLoad, 11);
  bench.put(1, kLoad, 15);
  bench.put(2, kLoad, 15);
  bench.run(10, 40);
  EXPECT_EQ(bench.shared.starts, (Events{{1, 16}, {0, 17}, {2, 21}, {1, 22}}));
}

TEST(SharedPipe, GrantsOneSlotACycleToAllUnits) {
  Bench bench(pipe_params());
  bench.put(0, kLoad, 10);
  bench.put(1, kShuffle, 10);
  bench.put(2, kGlobalLoad, 10);
  bench.put(3, kLoad, 10);
  bench.run(10, 30);
  EXPECT_EQ(bench.shared.starts, (Events{{0, 16}, {3, 19}}));
  EXPECT_EQ(bench.shuffle.starts, (Events{{1, 17}}));
  EXPECT_EQ(bench.global.starts, (Events{{2, 18}}));
}

TEST(SharedPipe, GoesOnBehindTheSubPartitionServedLast) {
  Bench bench(fast());
  for (int i = 0; i < 2; ++i) {
    bench.put(0, kLoad, 10);
    bench.put(3, kLoad, 10);
  }
  bench.run(10, 30);
  EXPECT_EQ(bench.shared.starts, (Events{{0, 15}, {3, 16}, {0, 17}, {3, 18}}));
}

// The unit is told with the last slot, and counts from the first one as if the slots were in a row.
TEST(SharedPipe, GrantsTheSlotsOfASubPartitionABeatApart) {
  Bench bench(pipe_params());
  bench.put(0, kLoad, 10, 0, 3);
  bench.put(1, kShuffle, 10);
  bench.run(10, 30);
  EXPECT_EQ(bench.shared.slots, (std::vector<Cycle>{16, 18, 20}));
  EXPECT_EQ(bench.shared.starts, (Events{{0, 20 - 2}}));
  EXPECT_EQ(bench.shuffle.starts, (Events{{1, 17}}));
}

TEST(SharedPipe, IsHeldAsLongAsTheUnitSays) {
  Bench bench(pipe_params());
  bench.shared.held = 6;
  bench.put(0, kLoad, 10);
  bench.put(1, kShuffle, 10);
  bench.put(2, kLoad, 13);
  bench.run(10, 30);
  EXPECT_EQ(bench.shared.starts, (Events{{0, 16}, {2, 23}}));
  EXPECT_EQ(bench.shuffle.starts, (Events{{1, 22}}));
}

TEST(SharedPipe, LetsOthersGoWhileOneWaitsForItsUnit) {
  Bench bench(pipe_params());
  bench.shared.free = 25;
  bench.put(0, kLoad, 10);
  bench.put(1, kShuffle, 12);
  bench.run(10, 30);
  EXPECT_EQ(bench.shared.starts, (Events{{0, 25}}));
  EXPECT_EQ(bench.shuffle.starts, (Events{{1, 18}}));
}

TEST(SharedPipe, ReadsOperandsOfSharedMemoryAheadWhileTheBufferHasRoom) {
  Bench bench(pipe_params());
  bench.shared.free = 40;
  for (int i = 0; i < 3; ++i) bench.put(0, kStore, 10);
  bench.run(10, 50);
  EXPECT_EQ(bench.part[0].pops, (std::vector<Cycle>{14, 18, 40}));
  EXPECT_EQ(bench.part[0].reads, (std::vector<Cycle>{18 + 5, 22 + 5, 44 + 5}));
  EXPECT_EQ(bench.shared.starts, (Events{{0, 40}, {0, 42}, {0, 44}}));
}

TEST(SharedPipe, ReadsShufflesAheadAndNoGlobalMemory) {
  Bench bench(pipe_params());
  bench.shuffle.free = 40;
  bench.put(0, kShuffle, 10);
  bench.put(0, kShuffle, 10);
  bench.put(0, kGlobalLoad, 10);
  bench.run(10, 50);
  EXPECT_EQ(bench.part[0].pops, (std::vector<Cycle>{14, 16, 42}));
  EXPECT_EQ(bench.shuffle.starts, (Events{{0, 40}, {0, 42}}));
}

/// The second store is read from 22 on, when the data of the first is sent; the third when there is
/// room.
TEST(SharedPipe, ReadsAStoreBehindTheDataOfTheOneBefore) {
  Facts store = request_to(isa::Pipe::kGlobal, 2);
  store.is_store = true;
  Bench bench(pipe_params());
  bench.global.free = 20;
  bench.put(0, store, 10, 0, 2);
  bench.put(0, store, 10, 0, 2);
  bench.put(0, store, 10, 0, 1);
  bench.run(10, 50);
  EXPECT_EQ(bench.part[0].pops, (std::vector<Cycle>{14, 22, 26}));
  EXPECT_EQ(bench.global.slots, (std::vector<Cycle>{20, 22, 24, 26, 30}));
  EXPECT_EQ(bench.part[0].reads, (std::vector<Cycle>{22 + 5, 26 + 5, 30 + 3}));
}

TEST(SharedPipe, SendsAllAddressesThatFoundTheReaderIdleBeforeData) {
  Facts store = request_to(isa::Pipe::kGlobal, 1);
  store.is_store = true;
  Bench bench(pipe_params());
  for (unsigned s = 0; s < kSubPartitions; ++s) bench.put(s, store, 10, 0, 2);
  bench.run(10, 50);
  const std::vector<Cycle> data = {20, 21, 22, 23};
  for (unsigned s = 0; s < kSubPartitions; ++s)
    EXPECT_EQ(bench.part[s].reads, std::vector<Cycle>{data[s] + 5});
}

/// Three beats of data, 2 cycles apart. The address goes at 16, as one register of it is read.
TEST(SharedPipe, EachWordOfAStoreTakesABeat) {
  Facts store = request_to(isa::Pipe::kGlobal, 2);
  store.is_store = true;
  store.footprint.reads[0].count = 1;
  store.footprint.reads[1].count = 3;
  Bench bench(pipe_params());
  bench.put(0, store, 10, 0, 2);
  bench.run(10, 50);
  EXPECT_EQ(bench.global.slots, (std::vector<Cycle>{16, 18, 20, 22}));
  EXPECT_EQ(bench.part[0].reads, std::vector<Cycle>{22 + 5});
}

TEST(SharedPipe, AnAddressGoesBeforeTheDataOfAStoreBehindAnIdleCycle) {
  Facts store = request_to(isa::Pipe::kGlobal, 1);
  store.is_store = true;
  Bench bench(pipe_params());
  bench.put(0, store, 10, 0, 2);
  bench.put(1, store, 12, 0, 2);
  bench.run(10, 50);
  EXPECT_EQ(bench.global.slots, (std::vector<Cycle>{16, 18, 19, 20}));
  EXPECT_EQ(bench.part[0].reads, std::vector<Cycle>{19 + 5});
}

MioParams with_passes() {
  MioParams params = with_split(3);
  params.passes = {2, 5, 1, 1, 4, 3};
  return params;
}

TEST(SharedPipe, AnOperationTakesOneBeatAndItsPassesGoOn) {
  Bench bench(with_passes());
  bench.shared.has_passes = true;
  for (int i = 0; i < 2; ++i) bench.put(0, kLoad, 10, 0, 4);
  bench.run(10, 50);
  EXPECT_EQ(bench.part[0].pops, (std::vector<Cycle>{14, 16}));
  EXPECT_EQ(bench.shared.slots, (std::vector<Cycle>{16, 18}));
  EXPECT_EQ(bench.shared.starts, (Events{{0, 22 - 3}, {0, 30 - 3}}));
  EXPECT_EQ(bench.part[0].reads, (std::vector<Cycle>{16 + 5, 18 + 5}));
}

TEST(SharedPipe, NothingIsReadBehindAnOperationThatWaitsForAPlace) {
  Bench bench(with_passes());
  bench.shared.has_passes = true;
  for (int i = 0; i < 6; ++i) bench.put(0, kLoad, 10, 0, 4);
  bench.run(10, 80);
  // The first place is free again at 21, the second at 23. The second load leaves the window at 23,
  // the third comes into it at 24, so its place is free at 29.
  EXPECT_EQ(bench.shared.slots, (std::vector<Cycle>{16, 18, 21, 23, 29, 37}));
  EXPECT_EQ(bench.part[0].pops, (std::vector<Cycle>{14, 16, 18, 21, 23, 29}));
  EXPECT_EQ(bench.part[0].reads[4], 29u + 5);
}

TEST(SharedPipe, AStoreIsReadWhenThereIsRoomForItsWords) {
  Facts store = kStore;
  store.is_store = true;
  store.footprint.reads[1].count = 4;
  Bench bench(with_passes());
  bench.shared.has_passes = true;
  for (int i = 0; i < 2; ++i) bench.put(0, store, 10, 0, 2);
  bench.run(10, 80);
  // Five registers are read until 24; the passes are at 24 and 26, and there is room again at 29.
  EXPECT_EQ(bench.part[0].pops, (std::vector<Cycle>{14, 24}));
  EXPECT_EQ(bench.shared.slots, (std::vector<Cycle>{16, 18, 20, 24, 31, 33, 35, 29 + 10}));
}

// store64_128_4 of tests/data/h200/2026-11-24/shared.csv: no warp stores twice before another.
TEST(SharedPipe, ReadersThatWaitForRoomForDataTakeTurns) {
  Facts store = kStore;
  store.is_store = true;
  store.footprint.reads[1].count = 4;
  Bench bench(with_passes());
  bench.shared.has_passes = true;
  for (unsigned s = 0; s < 2; ++s)
    for (int i = 0; i < 2; ++i) bench.put(s, store, 10, 0, 2);
  bench.run(10, 120);
  std::vector<unsigned> order;
  for (const auto& [sub_partition, start] : bench.shared.starts) order.push_back(sub_partition);
  EXPECT_EQ(order, (std::vector<unsigned>{0, 1, 0, 1}));
}

TEST(SharedPipe, TheFirstBeatOfASplitShuffleGoesBesidePassesAndTheLastBehindThem) {
  const Facts three = request_to(isa::Pipe::kShuffle, 3);
  Bench bench(with_passes());
  bench.shared.has_passes = bench.shuffle.has_passes = true;
  bench.put(0, kLoad, 10, 0, 4);
  bench.put(0, three, 10);
  bench.run(10, 50);
  EXPECT_EQ(bench.shared.starts, (Events{{0, 22 - 3}}));
  EXPECT_EQ(bench.shuffle.slots, (std::vector<Cycle>{20, 22}));
  EXPECT_EQ(bench.shuffle.starts, (Events{{0, 24}}));
}

TEST(SharedPipe, WhatHasNoPassesWaitsForThoseOfItsSubPartition) {
  Bench bench(with_passes());
  bench.shared.has_passes = true;
  bench.put(0, kLoad, 10, 0, 4);
  bench.put(0, kShuffle, 10);
  bench.run(10, 50);
  EXPECT_EQ(bench.shared.starts, (Events{{0, 22 - 3}}));
  EXPECT_EQ(bench.shuffle.starts, (Events{{0, 24}}));
}

TEST(SharedPipe, ALoadOfAConstantWaitsForNoPasses) {
  Facts constant = kShuffle;
  constant.kind = isa::OpKind::kConstantLoad;
  Bench bench(with_passes());
  bench.shared.has_passes = true;
  bench.put(0, kLoad, 10, 0, 4);
  bench.put(0, constant, 10);
  bench.run(10, 50);
  // The load has its passes at 16, 18, 20 and 22.
  EXPECT_EQ(bench.shared.starts, (Events{{0, 22 - 3}}));
  EXPECT_EQ(bench.shuffle.starts, (Events{{0, 18}}));
}

TEST(SharedPipe, WhatAccessesGlobalMemoryPassesTheWindow) {
  Bench bench(with_passes());
  bench.shared.has_passes = true;
  for (int i = 0; i < 2; ++i) bench.put(0, kLoad, 10, 0, 4);
  bench.put(0, kGlobalLoad, 10);
  bench.run(10, 50);
  // It gets a place at 21. The second load leaves the window at 23.
  EXPECT_EQ(bench.global.slots, std::vector<Cycle>{21});
  EXPECT_EQ(bench.part[0].reads[2], 21u + 3);
  EXPECT_EQ(bench.global.starts, (Events{{0, 24}}));
}

Facts global_store() {
  Facts store = request_to(isa::Pipe::kGlobal, 2);
  store.is_store = true;
  store.footprint.reads[0].count = store.footprint.reads[1].count = 1;
  return store;
}

MioParams with_loads() {
  MioParams params = with_passes();
  params.passes.places = params.passes.window = params.passes.words = 4;
  params.passes.loads = 1;
  return params;
}

TEST(SharedPipe, AStoreWaitsForRoomBehindThePipe) {
  const Facts store = global_store();
  Bench bench(with_loads());
  bench.global.room = 40;
  bench.shuffle.has_passes = true;
  bench.put(0, store, 10, 0, 2);
  bench.put(1, kShuffle, 12);
  bench.run(10, 60);
  EXPECT_EQ(bench.global.starts, (Events{{0, 40 - 1}}));  // of two beats, the last one at 40
  EXPECT_EQ(bench.shuffle.starts, (Events{{1, 18}}));
}

/// The second store is read when the first has left, at 40, and its words have room, at 43.
TEST(SharedPipe, AStoreHoldsItsWordsUntilItLeaves) {
  Facts store = global_store();
  store.footprint.reads[1].count = 4;
  Bench bench(with_loads());
  bench.global.room = 40;
  for (unsigned s = 0; s < 2; ++s) bench.put(s, store, 10, 0, 2);
  bench.run(10, 80);
  EXPECT_EQ(bench.global.starts, (Events{{0, 40 - 1}, {1, 53 - 1}}));
}

TEST(SharedPipe, DataOfAStoreAndOtherBeatsGoInTurn) {
  const Facts store = global_store();
  MioParams params = with_loads();
  params.passes.places = params.passes.window = 8;
  Bench bench(params);
  bench.shuffle.has_passes = true;
  bench.put(0, store, 10, 0, 2);
  for (unsigned s = 1; s < kSubPartitions; ++s) bench.put(s, kShuffle, 12);
  bench.run(10, 60);
  EXPECT_EQ(bench.global.slots, (std::vector<Cycle>{16, 19}));
  EXPECT_EQ(bench.shuffle.slots, (std::vector<Cycle>{18, 20, 21}));
}

TEST(SharedPipe, WhatComesApartPassesWhatWaitsForGlobalMemory) {
  Bench bench(pipe_params());
  bench.global.free = 60;
  bench.put(0, kGlobalLoad, 10);
  bench.put(0, kLoad, 11);
  MioRequest apart;
  apart.facts = &kLoad;
  apart.issued = 12;
  bench.arbiter.came_apart(0, apart, 12);
  bench.run(12, 70);
  EXPECT_EQ(bench.shared.starts, (Events{{0, 18}, {0, 62}}));
  EXPECT_EQ(bench.global.starts, (Events{{0, 60}}));
}

/// It starts 6 cycles behind its issue, while a load waits for its unit.
TEST(SharedPipe, AReadOfTheClusterWaitsForNothing) {
  Facts reads = request_to(isa::Pipe::kSpecial, 0);
  reads.reads_cluster = true;
  Bench bench(pipe_params());
  bench.global.free = 60;
  bench.put(0, kGlobalLoad, 10);
  MioRequest apart;
  apart.facts = &reads;
  bench.arbiter.came_apart(0, apart, 12);
  EXPECT_EQ(bench.part[0].results.size(), 1u);
  EXPECT_EQ(bench.part[0].results[0], 12u + 6 + FakeUnit::kLatency);
}

TEST(SharedPipe, MoreComesApartThanABufferHas) {
  Bench bench(fast());
  MioRequest apart;
  apart.facts = &kLoad;
  for (int i = 0; i < 9; ++i) bench.arbiter.came_apart(0, apart, 10);
  bench.run(10, 30);
  EXPECT_EQ(bench.shared.starts.size(), 9u);
  EXPECT_EQ(bench.shared.starts.back(), (std::pair<unsigned, Cycle>{0, 15 + 8}));
}

TEST(SharedPipe, AnEmptyBufferTakesAnInstructionOfAnySize) {
  const Facts six = request_to(isa::Pipe::kShared, 6);
  Bench bench(pipe_params());
  bench.put(0, six, 10);
  bench.put(0, kLoad, 10);
  bench.run(10, 40);
  EXPECT_EQ(bench.part[0].pops, (std::vector<Cycle>{14, 26}));
  EXPECT_EQ(bench.shared.starts, (Events{{0, 14 + 6 * 2}, {0, 28}}));
}

TEST(SharedPipe, ASplitShuffleTakesASlotAheadOfItsLastOperand) {
  Bench bench(with_split(2));
  bench.put(0, kShuffleByRegister, 10);
  bench.run(10, 30);
  EXPECT_EQ(bench.shuffle.slots, (std::vector<Cycle>{16, 18}));
  EXPECT_EQ(bench.shuffle.starts, (Events{{0, 18}}));
  EXPECT_EQ(bench.part[0].reads, std::vector<Cycle>{18 + 5});
}

TEST(SharedPipe, A21AShuffleSplitAtItsFirstOperandTakesOneSlotMore) {
  Bench bench(with_split(1));
  bench.put(0, kShuffle, 10);
  bench.put(1, kShuffleByRegister, 10);
  bench.run(10, 40);
  EXPECT_EQ(bench.shuffle.slots, (std::vector<Cycle>{16, 18, 19, 20}));
  EXPECT_EQ(bench.shuffle.starts, (Events{{0, 19}, {1, 20}}));
}

TEST(SharedPipe, A25IsBusyWhileItReadsOperands) {
  Bench bench(pipe_params());
  bench.put(0, kStore, 10);  // reads from 14 and from 16 on
  bench.run(10, 30);
  EXPECT_EQ(bench.arbiter.collected(0, 30), 4u);
  EXPECT_EQ(bench.arbiter.collected(0, 17), 3u);
  EXPECT_EQ(bench.arbiter.collected(1, 30), 0u);
}

TEST(SharedPipe, SplitsOnlyShufflesOfSoManyOperands) {
  const Facts three = request_to(isa::Pipe::kShared, 3);
  Bench bench(with_split(3));
  bench.put(0, kShuffle, 10);
  bench.put(1, three, 10);
  bench.run(10, 30);
  EXPECT_EQ(bench.shuffle.slots, std::vector<Cycle>{16});
  EXPECT_EQ(bench.shared.slots, std::vector<Cycle>{20});
}

}  // namespace shared_pipe_test
}  // namespace shflsim::model
