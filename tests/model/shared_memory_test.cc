// SPDX-License-Identifier: Apache-2.0
#include "model/shared_memory/shared_memory.h"

#include <gtest/gtest.h>

#include <ostream>

namespace shflsim::model {
namespace shared_memory_test {

constexpr Cycle kLatency = 23;

SharedMemoryParams with_banks(uint32_t banks) {
  SharedMemoryParams params;
  params.banks = banks;
  params.latency = kLatency;
  params.atomic_lane = 2;
  return params;
}

class Shared {
 public:
  explicit Shared(uint32_t banks = 32) : Shared(with_banks(banks)) {}
  explicit Shared(const SharedMemoryParams& params) : memory_("shared_memory", params) {
    memory_.pipe.bind(pipe_);
    load_.is_store = false;
    store_.is_store = true;
  }
  Cycle load(uint32_t wavefronts, Cycle now) { return start(load_, wavefronts, now); }
  Cycle store(uint32_t wavefronts, Cycle now) { return start(store_, wavefronts, now); }
  /// A load of several registers.
  Cycle wide_load(uint8_t registers, uint32_t wavefronts, Cycle now) {
    Facts facts = load_;
    facts.footprint.write_count = registers;
    return start(facts, wavefronts, now);
  }
  Cycle matrix_load(uint8_t registers, uint32_t wavefronts, Cycle now) {
    Facts facts = load_;
    facts.kind = isa::OpKind::kMatrixLoad;
    facts.footprint.write_count = registers;
    return start(facts, wavefronts, now);
  }
  /// `lanes` is the number of lanes that access one word.
  Cycle atomic(unsigned sub_partition, uint32_t lanes, Cycle now) {
    Facts facts;
    facts.accesses_shared = true;
    facts.kind = isa::OpKind::kAtomic;
    MioRequest request;
    request.facts = &facts;
    request.payload = lanes;
    return memory_.start(sub_partition, request, now).result;
  }
  /// Wavefronts of an access in which lane n accesses `bytes` bytes at `first` + n * `stride`.
  uint32_t wavefronts(uint32_t bytes, uint64_t stride, isa::LaneMask lanes = isa::kAllLanes,
                      uint64_t first = 0) const {
    traces::LaneAddresses addresses{};
    for (unsigned lane = 0; lane < isa::kLanes; ++lane) addresses[lane] = first + lane * stride;
    return memory_.wavefronts(addresses, lanes, bytes, true);
  }

  InOrderPipe pipe_{"pipe"};
  SharedMemory memory_;

 private:
  Cycle start(const Facts& facts, uint32_t wavefronts, Cycle now) {
    MioRequest request;
    request.facts = &facts;
    request.wavefronts = wavefronts;
    EXPECT_EQ(memory_.beats(request), wavefronts);
    return memory_.start(1, request, now).result;
  }
  Facts load_;
  Facts store_;
};

struct Access {
  uint32_t bytes;
  uint64_t stride;
  uint32_t wavefronts;
};

void PrintTo(const Access& access, std::ostream* out) {
  *out << access.bytes << " bytes, " << access.stride << " apart";
}

class SharedMemoryAccess : public ::testing::TestWithParam<Access> {};

TEST_P(SharedMemoryAccess, TakesAWavefrontForEachWordOfABank) {
  EXPECT_EQ(Shared().wavefronts(GetParam().bytes, GetParam().stride), GetParam().wavefronts);
}

INSTANTIATE_TEST_SUITE_P(Words, SharedMemoryAccess,
                         ::testing::Values(Access{4, 4, 1}, Access{4, 8, 2}, Access{4, 12, 1},
                                           Access{4, 16, 4}, Access{4, 32, 8}, Access{4, 64, 16},
                                           Access{4, 128, 32}, Access{4, 132, 1}));
INSTANTIATE_TEST_SUITE_P(PartsOfWords, SharedMemoryAccess,
                         ::testing::Values(Access{1, 1, 1}, Access{1, 4, 1}, Access{1, 128, 32},
                                           Access{2, 2, 1}, Access{2, 8, 2}));
// The warp accesses memory by halves and quarters.
INSTANTIATE_TEST_SUITE_P(SeveralWords, SharedMemoryAccess,
                         ::testing::Values(Access{8, 8, 2}, Access{8, 16, 4}, Access{8, 128, 32},
                                           Access{16, 16, 4}, Access{16, 32, 8},
                                           Access{16, 128, 32}));
// Sizes that no instruction has, but a trace may have.
INSTANTIATE_TEST_SUITE_P(OddSizes, SharedMemoryAccess,
                         ::testing::Values(Access{6, 8, 2}, Access{7, 128, 32}, Access{12, 12, 4},
                                           Access{12, 128, 32}));
INSTANTIATE_TEST_SUITE_P(Broadcast, SharedMemoryAccess,
                         ::testing::Values(Access{1, 0, 1}, Access{4, 0, 1}, Access{8, 0, 1},
                                           Access{16, 0, 2}));

/// Wavefronts of a warp whose lane n accesses place `of`(n) of an array of this many bytes each.
uint32_t wavefronts_of(unsigned (*of)(unsigned), uint32_t bytes, bool loads) {
  traces::LaneAddresses addresses{};
  for (unsigned lane = 0; lane < isa::kLanes; ++lane) addresses[lane] = of(lane) * bytes;
  return Shared().memory_.wavefronts(addresses, isa::kAllLanes, bytes, loads);
}

// tests/data/h200/2026-11-28, wide.csv.gz: by2, mod2, mod4, xor2, mod2far, by2far.
TEST(SharedMemory, PartsOfAWideLoadGoTogetherWhereNeighboursReadTheSame) {
  struct Case {
    unsigned (*of)(unsigned);
    uint32_t halves;
    uint32_t quarters;
  };
  const std::vector<Case> cases = {
      {[](unsigned lane) { return lane / 2; }, 1, 2},
      {[](unsigned lane) { return lane % 2; }, 1, 2},
      {[](unsigned lane) { return lane % 4; }, 2, 4},
      {[](unsigned lane) { return (lane & 1) | lane >> 2 << 1; }, 1, 2},
      {[](unsigned lane) { return lane % 2 * 16; }, 2, 4},
      {[](unsigned lane) { return lane / 2 * 8; }, 8, 16},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(wavefronts_of(each.of, 8, true), each.halves);
    EXPECT_EQ(wavefronts_of(each.of, 16, true), each.quarters);
  }
  EXPECT_EQ(wavefronts_of(cases[0].of, 8, false), 2u) << "a store";
  EXPECT_EQ(wavefronts_of(cases[0].of, 16, false), 4u) << "a store";
}

TEST(SharedMemory, AFenceTakesOneCycleOfThePathAndNoBank) {
  SharedMemoryParams params = with_banks(32);
  params.fence_latency = 13;
  Shared shared(params);
  Facts fence;
  fence.fences_block = true;
  MioRequest request;
  request.facts = &fence;
  EXPECT_EQ(shared.memory_.start(0, request, 100).result, 113u);
  EXPECT_EQ(shared.pipe_.free(), 101u);
  EXPECT_EQ(shared.load(1, 101), 101 + kLatency) << "nor does it hold up other results";
}

TEST(SharedMemory, AWordForSeveralLanesIsOneAmongThoseOfItsBank) {
  traces::LaneAddresses addresses{};
  for (unsigned lane = 0; lane < isa::kLanes; ++lane) addresses[lane] = lane % 3 * 128;
  EXPECT_EQ(Shared().memory_.wavefronts(addresses, isa::kAllLanes, 4, true), 3u);
}

TEST(SharedMemory, EachBeatOfALoadTakesACycle) {
  SharedMemoryParams params = with_banks(32);
  params.loaded_beat = 1;
  EXPECT_EQ(Shared(params).wide_load(1, 1, 10), 10 + kLatency + 1);
  EXPECT_EQ(Shared(params).wide_load(2, 2, 10), 10 + 1 + kLatency + 2);
  Shared shared(params);
  EXPECT_EQ(shared.wide_load(4, 4, 10), 10 + 3 + kLatency + 4);
  EXPECT_EQ(shared.wide_load(4, 1, 11), 10 + 3 + kLatency + 5) << "a beat of four registers";
  EXPECT_EQ(shared.wide_load(4, 2, 30), 30 + 1 + kLatency + 2) << "two beats of two registers";
}

TEST(SharedMemory, EachMatrixOfALoadComesWithItsOwnWavefront) {
  SharedMemoryParams params = with_banks(32);
  params.loaded_beat = 1;
  Shared shared(params);
  EXPECT_EQ(shared.matrix_load(4, 4, 10), 10u + 3 + kLatency + 1);
  EXPECT_EQ(shared.matrix_load(4, 4, 14), 14u + 3 + kLatency + 1);
}

TEST(SharedMemory, OnlyLanesThatExecuteCount) {
  EXPECT_EQ(Shared().wavefronts(4, 128, 0x80000013), 4u);
  EXPECT_EQ(Shared().wavefronts(8, 8, 0x0000FFFF), 1u);
  EXPECT_EQ(Shared().wavefronts(16, 16, 0xFF0000FF), 2u);
}

TEST(SharedMemory, TakesAWavefrontWhereNoLaneExecutes) {
  EXPECT_EQ(Shared().wavefronts(4, 4, 0), 1u);
}

TEST(SharedMemory, AnAccessAcrossWordsGoesToBothBanks) {
  EXPECT_EQ(Shared().wavefronts(4, 4, isa::kAllLanes, 2), 2u);     // 33 words
  EXPECT_EQ(Shared().wavefronts(7, 128, isa::kAllLanes, 3), 32u);  // three words per lane
  EXPECT_EQ(Shared().wavefronts(12, 12, 0xC0000000), 1u);          // 6 words of the last two lanes
}

TEST(SharedMemory, FewerBanksTakeMoreWavefronts) {
  EXPECT_EQ(Shared(16).wavefronts(4, 4), 2u);
  EXPECT_EQ(Shared(8).wavefronts(4, 4), 4u);
}

TEST(SharedMemory, IsHeldForAsManyCyclesAsWavefronts) {
  Shared shared;
  EXPECT_EQ(shared.load(1, 10), 10 + kLatency);
  EXPECT_EQ(shared.pipe_.free(), 11u);
  EXPECT_EQ(shared.load(3, 11), 13 + kLatency);
  for (unsigned s = 0; s < kSubPartitions; ++s) EXPECT_EQ(shared.memory_.free_from(s, 11), 14u);
  EXPECT_EQ(shared.memory_.free_from(0, 20), 20u);
}

TEST(SharedMemory, IsDoneWithAStoreOnceItHasLeft) { EXPECT_EQ(Shared().store(4, 10), 14u); }

TEST(SharedMemory, ReturnsInOrder) {
  Shared shared;
  EXPECT_EQ(shared.load(1, 10), 10 + kLatency);
  EXPECT_EQ(shared.store(1, 11), 10 + kLatency);
}

TEST(SharedMemory, AnAtomicTakesTheLanesOnAWordOneAfterTheOther) {
  Shared shared;
  EXPECT_EQ(shared.atomic(0, 1, 10), 12 + kLatency);
  EXPECT_EQ(shared.atomic(0, 4, 13), 21 + kLatency);
  EXPECT_EQ(shared.load(1, 14), 21 + kLatency);  // in order
}

TEST(SharedMemory, AtomicsOfEverySecondSubPartitionWaitForOneAnother) {
  Shared shared;
  EXPECT_EQ(shared.atomic(0, 32, 10), 74 + kLatency);
  EXPECT_EQ(shared.atomic(1, 32, 11), 75 + kLatency);
  EXPECT_EQ(shared.atomic(2, 32, 12), 138 + kLatency);
}

TEST(SharedMemory, TheNextStepAtABarrierOfTheSubPartitionIsApart) {
  SharedMemoryParams params = with_banks(32);
  params.check_latency = 15;
  params.check_interval = 4;
  params.check_apart = 8;
  Shared shared(params);
  Facts facts;
  facts.kind = isa::OpKind::kSharedCheck;
  MioRequest check;
  check.facts = &facts;
  EXPECT_EQ(shared.memory_.start(1, check, 10).result, 25 + kLatency);
  EXPECT_EQ(shared.memory_.free_for(check, 1, 11), 18u);
  EXPECT_EQ(shared.memory_.free_for(check, 2, 11), 14u);
  facts.kind = isa::OpKind::kLoad;
  EXPECT_EQ(shared.memory_.free_for(check, 1, 11), 14u);
}

TEST(SharedMemory, CountsTheLanesOnTheAddressThatMostOfThemHave) {
  traces::LaneAddresses addresses{};
  for (unsigned lane = 0; lane < isa::kLanes; ++lane) addresses[lane] = lane < 20 ? lane % 4 : lane;
  const Shared shared;
  EXPECT_EQ(shared.memory_.turns(addresses, isa::kAllLanes, 4, false), 5u);
  EXPECT_EQ(shared.memory_.turns(addresses, 0x110u, 4, false), 2u);
  EXPECT_EQ(shared.memory_.turns(addresses, 0, 4, false), 0u);
  EXPECT_EQ(shared.memory_.turns(addresses, isa::kAllLanes, 8, false), 5u);  // 4 and 1
  EXPECT_EQ(shared.memory_.turns(addresses, isa::kAllLanes, 4, true), 1u);
  EXPECT_EQ(shared.memory_.turns(addresses, isa::kAllLanes, 8, true), 2u);
}

TEST(SharedMemory, WaitsForWhatElseHoldsItsPipe) {
  Shared shared;
  shared.pipe_.hold(25);
  EXPECT_EQ(shared.memory_.free_from(0, 10), 25u);
}

}  // namespace shared_memory_test
}  // namespace shflsim::model
