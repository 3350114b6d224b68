// SPDX-License-Identifier: Apache-2.0
// Global memory by itself; global_memory_test.cc has it in a run.
#include <gtest/gtest.h>

#include <vector>

#include "model/global_memory/global_memory.h"

namespace shflsim::model {
namespace global_memory_unit_test {

GlobalMemoryParams with_hit_rate(uint32_t percent) {
  GlobalMemoryParams params;
  params.latency = 200;
  params.interval = 2;
  params.l1_hit_rate = percent;
  params.l1_latency = 30;
  params.l1_interval = 4;
  return params;
}

/// Two stores wait; one leaves every 10 cycles.
GlobalMemoryParams with_store_buffer() {
  GlobalMemoryParams params = with_hit_rate(0);
  params.store_buffer = 2;
  params.store_drain = 10;
  params.full_interval = 12;
  return params;
}

/// Lets everything pass `wait` cycles later.
class Chip : public MemoryPort {
 public:
  Cycle take(Cycle now) override {
    came.push_back(now);
    return now + wait;
  }
  Fetched fetch(const LineRequest& request, Cycle /*now*/) override {
    fetched.push_back({request.line, request.sectors, request.leaves});
    return {request.leaves + wait, dram_bytes, is_far};
  }
  Cycle write(const LineRequest& request, Cycle now) override {
    written.push_back(request.line);
    return now + wait;
  }
  Updated update(const LineRequest& request, const Update& /*update*/, Cycle now) override {
    return {write(request, now), is_far};
  }

  struct Fetch {
    uint64_t line;
    unsigned sectors;
    Cycle cycle;
    bool operator==(const Fetch& other) const {
      return line == other.line && sectors == other.sectors && cycle == other.cycle;
    }
  };
  std::vector<Cycle> came;
  std::vector<Fetch> fetched;
  std::vector<uint64_t> written;
  Cycle wait = 0;
  uint32_t dram_bytes = 0;
  bool is_far = false;
};

class Memory {
 public:
  explicit Memory(const GlobalMemoryParams& params) : unit_("global_memory", params) {
    unit_.chip.bind(chip_);
    load_.pipe = store_.pipe = guarded_.pipe = isa::Pipe::kGlobal;
    store_.is_store = guarded_.is_store = true;
    guarded_.is_guarded = true;
  }
  Cycle load(Cycle now) { return unit_.start(0, request(load_), now).result; }
  Cycle store(Cycle now) { return unit_.start(0, request(store_), now).result; }
  uint32_t hold_of_load(Cycle now) { return unit_.hold(request(load_), now); }
  uint32_t hold_of_store(Cycle now) { return unit_.hold(request(store_), now); }
  uint32_t hold_of_guarded_store(Cycle now) { return unit_.hold(request(guarded_), now); }
  Cycle free_from(Cycle now) const { return unit_.free_from(3, now); }
  /// Cycles to the result of each of so many loads, 100 cycles apart.
  std::vector<Cycle> latencies(unsigned loads) {
    std::vector<Cycle> all;
    for (Cycle now = 0; all.size() < loads; now += 100) all.push_back(load(now) - now);
    return all;
  }

  Chip chip_;

 private:
  static MioRequest request(const Facts& facts) {
    MioRequest request;
    request.facts = &facts;
    return request;
  }
  Facts load_;
  Facts store_;
  Facts guarded_;
  GlobalMemory unit_;
};

TEST(GlobalMemoryUnit, ALoadWaitsForTheChipToLetItPass) {
  Memory memory(with_hit_rate(0));
  memory.chip_.wait = 7;
  EXPECT_EQ(memory.load(10), 10u + 7 + 200);
  EXPECT_EQ(memory.free_from(10), 12u);
  EXPECT_EQ(memory.free_from(20), 20u);
}

TEST(GlobalMemoryUnit, AHitOfTheL1DoesNotGoToTheChip) {
  Memory memory(with_hit_rate(100));
  EXPECT_EQ(memory.load(10), 40u);
  EXPECT_EQ(memory.free_from(10), 14u);
  EXPECT_EQ(memory.hold_of_load(20), 4u);
  EXPECT_TRUE(memory.chip_.came.empty());
}

TEST(GlobalMemoryUnit, SpreadsHitsEvenlyOverTheLoads) {
  EXPECT_EQ(Memory(with_hit_rate(50)).latencies(4), (std::vector<Cycle>{200, 30, 200, 30}));
  EXPECT_EQ(Memory(with_hit_rate(25)).latencies(5), (std::vector<Cycle>{200, 200, 200, 30, 200}));
  EXPECT_EQ(Memory(with_hit_rate(75)).latencies(5), (std::vector<Cycle>{200, 30, 30, 30, 200}));
}

TEST(GlobalMemoryUnit, AStoreIsDoneWithOnceItHasLeft) {
  Memory memory(with_hit_rate(0));
  memory.chip_.wait = 50;
  EXPECT_EQ(memory.store(10), 12u);
  EXPECT_EQ(memory.free_from(10), 12u);
  EXPECT_EQ(memory.chip_.came, std::vector<Cycle>{10});
}

TEST(GlobalMemoryUnit, StoresHaveNoShareOfTheHits) {
  Memory memory(with_hit_rate(50));
  EXPECT_EQ(memory.load(0), 200u);
  EXPECT_EQ(memory.store(100), 102u);
  EXPECT_EQ(memory.load(200), 230u);
}

TEST(GlobalMemoryUnit, StoresTakeLongerBehindAFullBuffer) {
  Memory memory(with_store_buffer());
  EXPECT_EQ(memory.hold_of_store(0), 2u);   // leaves until 10
  EXPECT_EQ(memory.hold_of_store(2), 2u);   // 20
  EXPECT_EQ(memory.hold_of_store(4), 12u);  // 30: two wait before it
  EXPECT_EQ(memory.hold_of_store(20), 2u);  // 40
  EXPECT_EQ(memory.hold_of_store(22), 12u);
  EXPECT_EQ(memory.hold_of_load(22), 2u);
}

TEST(GlobalMemoryUnit, AnEmptyBufferDrainsNothingAhead) {
  Memory memory(with_store_buffer());
  EXPECT_EQ(memory.hold_of_store(1000), 2u);
  EXPECT_EQ(memory.hold_of_store(1000), 2u);
  EXPECT_EQ(memory.hold_of_store(1000), 12u);
}

TEST(GlobalMemoryUnit, GuardedStoresDoNotFillTheBuffer) {
  Memory memory(with_store_buffer());
  for (int i = 0; i < 5; ++i) EXPECT_EQ(memory.hold_of_guarded_store(10), 2u);
  EXPECT_EQ(memory.hold_of_store(10), 2u);
}

TEST(GlobalMemoryUnit, ABufferWithoutALimitIsNeverFull) {
  GlobalMemoryParams params = with_store_buffer();
  params.store_buffer = 0;
  Memory memory(params);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(memory.hold_of_store(10), 2u);
}

ChipMemoryParams chip_of(uint32_t bytes, uint32_t l2_capacity = 0, bool warm = false) {
  ChipMemoryParams params;
  params.chip_bytes = bytes;
  params.l2_capacity = l2_capacity;
  params.l2_warm = warm ? 1 : 0;
  return params;
}

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

LineRequest sectors_of(uint64_t line, unsigned sectors, unsigned sm = 0, bool is_partial = false) {
  return {sm, line, sectors, is_partial};
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
  ChipMemory chip("memory", params);
  EXPECT_EQ(chip.fetch(sectors_of(7, 0xF), 10).starts, 14u) << "0.8, and 0.8 for each sector";
  EXPECT_EQ(chip.write(sectors_of(7, 0xF), 10), 18u) << "14 and 1.1 for each sector";
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

TEST(ChipMemory, WithoutAnL2EverythingComesFromTheDram) {
  ChipMemory chip("memory", chip_of(32));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(chip.fetch(sectors_of(7, 1), 0).dram_bytes, 32u);
}

/// Whether an SM at each half finds the line in the other half: half 0, half 1.
std::vector<bool> far_of(ChipMemory* chip, uint64_t line) {
  return {chip->fetch(sectors_of(line, 0xF, 0), 0).is_far,
          chip->fetch(sectors_of(line, 0xF, 2), 0).is_far};
}

ChipMemoryParams of_two_halves(bool warm = false) {
  ChipMemoryParams params = chip_of(32, 64, warm);
  params.far_latency = 100;
  return params;
}

/// A line at home in half 0 and one in half 1.
std::vector<uint64_t> lines_at_home() {
  ChipMemory chip("memory", of_two_halves());
  std::vector<uint64_t> lines(2);
  for (uint64_t line = 0; line < 32 * 64; line += 32) lines[far_of(&chip, line)[0] ? 1 : 0] = line;
  return lines;
}

/// Two slices in each half, a request of one sector a cycle in each.
ChipMemoryParams of_slices() {
  ChipMemoryParams params = chip_of(32, 64, true);
  params.far_latency = 100;
  params.l2_copies = 100;
  params.l2_requests = 4;
  params.l2_slices = 4;
  return params;
}

TEST(ChipMemory, ASliceServesItsOwnLinesInOrder) {
  ChipMemory chip("memory", of_slices());
  EXPECT_EQ(chip.fetch(sectors_of(0, 0xF), 10).starts, 12u) << "2.2";
  EXPECT_EQ(chip.fetch(sectors_of(1, 0xF), 10).starts, 14u) << "the next line is in the same slice";
  EXPECT_EQ(chip.fetch(sectors_of(2, 0xF), 10).starts, 12u) << "the line behind it is not";
  EXPECT_EQ(chip.fetch(sectors_of(4, 0xF), 10).starts, 16u) << "two slices have a KiB";
  EXPECT_EQ(chip.fetch(sectors_of(0, 0xF, 2), 10).starts, 12u) << "the copy is in the other half";
}

TEST(ChipMemory, WhoAsksForALineBehindOthersOfTheGpcIsServedWithThem) {
  ChipMemory chip("memory", of_slices());
  EXPECT_EQ(chip.fetch(sectors_of(0, 0xF), 10).starts, 12u) << "2.2";
  EXPECT_EQ(chip.fetch(sectors_of(0, 0xF), 11).starts, 12u) << "with the first";
  EXPECT_EQ(chip.fetch(sectors_of(1, 0xF), 11).starts, 14u) << "another line, 4.4";
  EXPECT_EQ(chip.fetch(sectors_of(0, 0x1), 20).starts, 20u);
  EXPECT_EQ(chip.fetch(sectors_of(0, 0xF), 20).starts, 20u) << "three others";
  EXPECT_EQ(chip.fetch(sectors_of(0, 0xF), 20).starts, 22u) << "2.2";
  EXPECT_EQ(chip.fetch(sectors_of(0, 0x1), 281).starts, 281u);
  EXPECT_EQ(chip.fetch(sectors_of(0, 0xF), 282).starts, 284u) << "262 cycles later";
}

TEST(ChipMemory, ScatteredSectorsAreServedOneByOne) {
  ChipMemory chip("memory", of_slices());
  const LineRequest request{0, 0, 0x1, false, 0, true};
  EXPECT_EQ(chip.fetch(request, 10).starts, 11u);
  EXPECT_EQ(chip.fetch(request, 10).starts, 12u);
  EXPECT_EQ(chip.fetch(request, 10).starts, 13u);
}

TEST(ChipMemory, WhoAsksForWhatIsOnItsWayFromTheDramWaitsForIt) {
  ChipMemory chip("memory", chip_of(32, 1), 1, 290);
  EXPECT_EQ(chip.fetch(sectors_of(7, 0x1), 10).starts, 10u);
  EXPECT_EQ(chip.fetch(sectors_of(7, 0x1), 20).starts, 300u) << "there at 10 + 290";
  EXPECT_EQ(chip.fetch(sectors_of(7, 0x2), 300).starts, 300u) << "another sector, of the DRAM";
  EXPECT_EQ(chip.fetch(sectors_of(7, 0x1), 310).starts, 310u) << "it was there before";
  EXPECT_EQ(chip.fetch(sectors_of(7, 0x1), 600).starts, 600u);
  EXPECT_EQ(chip.update(sectors_of(9, 0x1), {1, true}, 700).there, 700u);
  EXPECT_EQ(chip.update(sectors_of(9, 0x1), {1, true}, 710).there, 990u);
}

TEST(ChipMemory, WhoAsksForWhatIsOnItsWayFromTheOtherHalfWaitsForIt) {
  const uint64_t line = lines_at_home()[0];
  ChipMemory chip("memory", of_two_halves(true), 1, 290);
  EXPECT_EQ(chip.fetch(sectors_of(line, 0xF, 2), 10).starts, 10u);
  EXPECT_EQ(chip.fetch(sectors_of(line, 0xF, 2), 20).starts, 110u) << "there at 10 + 100";
  EXPECT_EQ(chip.fetch(sectors_of(line, 0xF, 0), 20).starts, 20u) << "at home it is there";
}

TEST(ChipMemory, AWriteFromTheOtherHalfTakesTimeOfBoth) {
  const std::vector<uint64_t> lines = lines_at_home();
  for (const unsigned sm : {0u, 2u}) {  // at home, and far
    ChipMemory chip(("memory" + std::to_string(sm)).c_str(), of_slices());
    EXPECT_EQ(chip.write(sectors_of(lines[0], 0xF, sm), 10), sm == 0 ? 12u : 12u) << "2.4, 2.8";
    EXPECT_EQ(chip.write(sectors_of(lines[0], 0xF, 0), 10), sm == 0 ? 14u : 14u) << "4.8 at home";
    EXPECT_EQ(chip.write(sectors_of(lines[1], 0xF, 2), 10), sm == 0 ? 13u : 15u)
        << "3.3 of the GPC; 2.4 and 2.8";
  }
}

TEST(ChipMemory, WhatComesFromTheOtherHalfWaitsForTheWritesBefore) {
  const uint64_t line = lines_at_home()[0];
  ChipMemoryParams params = of_slices();
  params.l2_copies = 0;
  ChipMemory chip("memory", params);
  EXPECT_EQ(chip.fetch(sectors_of(line, 0xF, 2), 10).starts, 13u) << "0.8 for each sector";
  EXPECT_EQ(chip.fetch(sectors_of(line, 0xF, 2), 90).starts, 113u) << "a copy is on its way";
  EXPECT_EQ(chip.fetch(sectors_of(line, 0xF, 2), 290).starts, 292u) << "a copy is here";
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

TEST(ChipMemory, AHalfOfTheL2KeepsACopyOfWhatIsAtHomeInTheOther) {
  const std::vector<uint64_t> lines = lines_at_home();
  ChipMemory chip("memory", of_two_halves());
  EXPECT_EQ(far_of(&chip, lines[0]), (std::vector<bool>{false, true}));
  EXPECT_EQ(far_of(&chip, lines[0]), (std::vector<bool>{false, false}));
  EXPECT_EQ(far_of(&chip, lines[1]), (std::vector<bool>{true, false}));
  EXPECT_EQ(far_of(&chip, lines[1]), (std::vector<bool>{false, false}));
}

TEST(ChipMemory, FourKibAreAtHomeTogether) {
  for (const uint64_t first : lines_at_home()) {
    ChipMemory chip("memory", of_two_halves());
    const std::vector<bool> far = far_of(&chip, first);
    for (uint64_t line = first + 1; line < first + 32; ++line) EXPECT_EQ(far_of(&chip, line), far);
  }
}

TEST(ChipMemory, AHalfOfAllIsAtHomeInEach) {
  ChipMemory chip("memory", of_two_halves());
  unsigned far = 0;
  for (uint64_t page = 0; page < 1024; ++page)
    far += chip.fetch(sectors_of(page * 32, 1), 0).is_far ? 1 : 0;
  EXPECT_GT(far, 448u);
  EXPECT_LT(far, 576u);
}

TEST(ChipMemory, WhatTheOtherHalfHasJustWrittenIsSeenLater) {
  const uint64_t line = lines_at_home()[0];
  ChipMemory chip("memory", of_two_halves());
  chip.write(sectors_of(line, 0xF, 2), 10);
  EXPECT_EQ(chip.fetch(sectors_of(line, 0xF, 2), 20).starts, 20u);
  EXPECT_EQ(chip.fetch(sectors_of(line, 0xF, 0), 20).starts, 20u + 50);
  EXPECT_EQ(chip.fetch(sectors_of(line, 0xF, 0), 409).starts, 409u + 50);
  EXPECT_EQ(chip.fetch(sectors_of(line, 0xF, 0), 410).starts, 410u);
}

TEST(ChipMemory, AnAtomicDropsTheCopyAndIsSeenWhenItIsDone) {
  const uint64_t line = lines_at_home()[0];
  ChipMemoryParams params = of_two_halves(true);
  params.atomic_word = 3000;
  ChipMemory chip("memory", params);
  far_of(&chip, line);
  chip.update(sectors_of(line, 1, 0), {1, false}, 10);
  EXPECT_EQ(chip.fetch(sectors_of(line, 1, 0), 20).starts, 34u);
  EXPECT_TRUE(chip.fetch(sectors_of(line, 1, 2), 20).is_far);
}

TEST(ChipMemory, AWriteFromTheHomesHalfDropsTheCopy) {
  const uint64_t line = lines_at_home()[0];
  for (const bool is_partial : {false, true}) {
    ChipMemory chip("memory", of_two_halves());
    far_of(&chip, line);
    chip.write(sectors_of(line, 0xF, 2, is_partial), 0);
    EXPECT_EQ(far_of(&chip, line), (std::vector<bool>{false, false}));
    chip.write(sectors_of(line, 0xF, 0, is_partial), 0);
    EXPECT_EQ(far_of(&chip, line), (std::vector<bool>{false, true}));
  }
}

TEST(ChipMemory, WhoWritesWholeSectorsKeepsThemInItsHalf) {
  const uint64_t line = lines_at_home()[0];
  for (const bool is_partial : {false, true}) {
    ChipMemory chip("memory", of_two_halves());
    chip.write(sectors_of(line, 0xF, 2, is_partial), 0);
    EXPECT_EQ(far_of(&chip, line), (std::vector<bool>{false, is_partial}));
  }
}

TEST(ChipMemory, AtomicsAreDoneAtHome) {
  const std::vector<uint64_t> lines = lines_at_home();
  ChipMemory chip("memory", of_two_halves());
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(chip.update(sectors_of(lines[0], 1, 0), {1, false}, 0).is_far);
    EXPECT_TRUE(chip.update(sectors_of(lines[0], 1, 2), {1, false}, 0).is_far);
    EXPECT_TRUE(chip.update(sectors_of(lines[1], 1, 0), {1, false}, 0).is_far);
  }
}

/// Of `lines` lines from the first on that were copied before, those that SM 0 does not find.
unsigned missing_of(uint32_t l2_capacity, uint64_t lines) {
  ChipMemoryParams params = of_two_halves(true);
  params.l2_capacity = l2_capacity;
  ChipMemory chip(("memory" + std::to_string(l2_capacity)).c_str(), params);
  chip.restore(0, lines * kLineBytes);
  unsigned missing = 0;
  for (uint64_t line = 0; line < lines; ++line)
    missing += chip.fetch(sectors_of(line, 0xF), 0).dram_bytes != 0 ? 1 : 0;
  return missing;
}

TEST(ChipMemory, WhatWasRestoredIsThereAsFarAsItFitsBesideWhatItWasCopiedFrom) {
  EXPECT_EQ(missing_of(512, 1024), 0u) << "4,096 lines; of each line two, and two copies";
  EXPECT_GT(missing_of(256, 1024), 128u) << "2,048 lines for 3,072";
  EXPECT_EQ(missing_of(32, 1024), 1024u) << "256 lines";
}

/// Of 1,024 pages, those that an SM finds far away.
unsigned far_pages(uint32_t copies) {
  ChipMemoryParams params = of_two_halves(true);
  params.l2_capacity = 1024;
  params.l2_copies = copies;
  ChipMemory chip(("memory" + std::to_string(copies)).c_str(), params);
  unsigned far = 0;
  for (uint64_t page = 0; page < 1024; ++page)
    far += chip.fetch(sectors_of(page * 32, 1), 0).is_far ? 1 : 0;
  return far;
}

TEST(ChipMemory, AWarmL2HasACopyOfAsManyPagesAsItsParameterSays) {
  EXPECT_EQ(far_pages(100), 0u);
  EXPECT_GT(far_pages(50), 192u);  // a quarter
  EXPECT_LT(far_pages(50), 320u);
  EXPECT_GT(far_pages(0), 448u);  // half
  EXPECT_LT(far_pages(0), 576u);
}

}  // namespace global_memory_unit_test
}  // namespace shflsim::model
