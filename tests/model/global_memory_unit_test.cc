// SPDX-License-Identifier: Apache-2.0
// The global memory unit alone; global_memory_test.cc tests it in a run.
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

/// Two stores can wait; one leaves every 10 cycles.
GlobalMemoryParams with_store_buffer() {
  GlobalMemoryParams params = with_hit_rate(0);
  params.store_buffer = 2;
  params.store_drain = 10;
  return params;
}

/// Completes everything after `wait` cycles.
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
  Cycle room_of_store(Cycle now) { return unit_.make_room(request(store_), now); }
  Cycle room_of_guarded_store(Cycle now) { return unit_.make_room(request(guarded_), now); }
  uint32_t beats_of_store() { return unit_.beats(request(store_)); }
  uint32_t beats_of_guarded_store() { return unit_.beats(request(guarded_)); }
  /// A store of a row of words.
  MioRequest known_store() {
    traces::LaneAddresses addresses{};
    for (unsigned lane = 0; lane < isa::kLanes; ++lane) addresses[lane] = 0x1000 + 4 * lane;
    MioRequest known = request(store_);
    known.payload = unit_.expect(addresses, isa::kAllLanes, store_, 0);
    return known;
  }
  uint32_t beats_of(const MioRequest& known) { return unit_.beats(known); }
  uint32_t hold_of(const MioRequest& known, Cycle now) { return unit_.hold(known, now); }
  Cycle free_from(Cycle now) const { return unit_.free_from(3, now); }
  /// Cycles to the result of each of `loads` loads, 100 cycles apart.
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

TEST(GlobalMemoryUnit, StoresWaitForRoomInAFullBuffer) {
  Memory memory(with_store_buffer());
  EXPECT_EQ(memory.room_of_store(0), 0u);    // leaves until 10
  EXPECT_EQ(memory.room_of_store(2), 2u);    // 20
  EXPECT_EQ(memory.room_of_store(4), 10u);   // 30: two wait before it
  EXPECT_EQ(memory.room_of_store(20), 20u);  // 40
  EXPECT_EQ(memory.room_of_store(22), 30u);
}

TEST(GlobalMemoryUnit, AnEmptyBufferDrainsNothingAhead) {
  Memory memory(with_store_buffer());
  EXPECT_EQ(memory.room_of_store(1000), 1000u);
  EXPECT_EQ(memory.room_of_store(1000), 1000u);
  EXPECT_EQ(memory.room_of_store(1000), 1010u);
}

TEST(GlobalMemoryUnit, GuardedStoresDoNotFillTheBuffer) {
  Memory memory(with_store_buffer());
  for (int i = 0; i < 5; ++i) EXPECT_EQ(memory.room_of_guarded_store(10), 10u);
  EXPECT_EQ(memory.room_of_store(10), 10u);
}

TEST(GlobalMemoryUnit, StoresHoldThePipeForTheirBeats) {
  GlobalMemoryParams params = with_store_buffer();
  params.unknown_store.beats = 2;
  Memory memory(params);
  EXPECT_EQ(memory.beats_of_store(), 2u);
  EXPECT_EQ(memory.beats_of_guarded_store(), 2u);
  EXPECT_EQ(memory.hold_of_store(10), 1u);
}

TEST(GlobalMemoryUnit, GuardedStoresTakeOneBeatWithoutTheirOwn) {
  EXPECT_EQ(Memory(with_store_buffer()).beats_of_guarded_store(), 1u);
}

TEST(GlobalMemoryUnit, StoresWithAddressesHoldThePipeForTheirBeats) {
  GlobalMemoryParams params = with_store_buffer();
  params.known_store.beats = 2;
  Memory memory(params);
  const MioRequest known = memory.known_store();
  EXPECT_EQ(memory.beats_of(known), 2u);
  EXPECT_EQ(memory.hold_of(known, 10), 1u);
  EXPECT_EQ(memory.beats_of_store(), 1u);
}

TEST(GlobalMemoryUnit, ThereIsRoomForRowsWhenOthersHaveLeft) {
  StoreRows rows(2, 0);
  rows.add(4, false, 20);
  EXPECT_EQ(rows.room_for(4, false), 0u);
  EXPECT_EQ(rows.room_for(8, false), 20u);
  rows.add(4, false, 30);
  EXPECT_EQ(rows.room_for(4, false), 20u);
  EXPECT_EQ(rows.room_for(8, false), 30u);
  EXPECT_EQ(StoreRows(0, 0).room_for(16, false), 0u);
}

TEST(GlobalMemoryUnit, SomeStoresHaveRowsAndAPlaceEach) {
  StoreRows rows(8, 3);
  EXPECT_EQ(rows.add(16, true, 20), 0u);  // four rows
  EXPECT_EQ(rows.add(8, true, 30), 0u);
  EXPECT_EQ(rows.add(4, true, 40), 0u);    // the last place
  EXPECT_EQ(rows.room_for(4, false), 0u);  // without a place
  EXPECT_EQ(rows.add(4, true, 50), 20u);   // the first one's place
  EXPECT_EQ(rows.add(16, true, 60), 30u);  // the second one's place; rows of the first
}

TEST(GlobalMemoryUnit, StoresWithAddressesTakeOneBeatWithoutTheirOwn) {
  Memory memory(with_store_buffer());
  const MioRequest known = memory.known_store();
  EXPECT_EQ(memory.beats_of(known), 1u);
  EXPECT_EQ(memory.hold_of(known, 10), 2u);
}

TEST(GlobalMemoryUnit, ABufferWithoutALimitIsNeverFull) {
  GlobalMemoryParams params = with_store_buffer();
  params.store_buffer = 0;
  Memory memory(params);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(memory.hold_of_store(10), 2u);
}

}  // namespace global_memory_unit_test
}  // namespace shflsim::model
