// SPDX-License-Identifier: Apache-2.0
#include "model/mio/access_passes.h"

#include "tests/model/mio_fakes.h"

namespace shflsim::model {
namespace {

/// Places, one that left them comes back 5 cycles later; a window, 2 cycles; words, 3 cycles.
PassParams params(uint32_t places, uint32_t window) { return {places, 5, window, 2, 8, 3, 0}; }

Facts request_of_copy() {
  Facts facts = request_to(isa::Pipe::kGlobal);
  facts.loads_to_shared = true;
  facts.access.kind = AccessKind::kPastL1Load;
  return facts;
}

/// Passes 2 cycles apart.
class Behind {
 public:
  explicit Behind(const PassParams& params) : passes(params, 2) { unit.has_passes = true; }

  /// A load from global memory, or a copy to shared memory past the L1.
  void load(uint32_t count, Cycle now, bool copies = false) {
    unit.has_passes = false;
    unit.load_count = count;
    MioRequest request;
    request.facts = copies ? &copy_ : &load_;
    passes.enter(3, request, unit, 0, now);
    unit.load_count = 0;
    unit.has_passes = true;
  }
  void enter(unsigned sub_partition, uint32_t slot, uint32_t count, Cycle now, uint32_t words = 0,
             bool has_lanes = true) {
    MioRequest request;
    request.has_lanes = has_lanes;
    request.facts = &facts_;
    request.slot = slot;
    request.wavefronts = count;
    passes.enter(sub_partition, request, unit, words, now);
  }
  /// Cycles in which operations had their last passes, or left without any, from `from` to `to`.
  Events ends(Cycle from, Cycle to) {
    Events result;
    for (Cycle now = from; now <= to; ++now) {
      const auto end = [&](unsigned s, const MioRequest&) { result.emplace_back(s, now); };
      passes.leave(now, end);
      passes.grant(now, end);
    }
    return result;
  }

  FakeUnit unit;
  AccessPasses passes;

 private:
  Facts facts_ = request_to(isa::Pipe::kShared);
  Facts load_ = request_to(isa::Pipe::kGlobal);
  Facts copy_ = request_of_copy();
};

PassParams with_loads(uint32_t loads) {
  PassParams with = params(8, 4);
  with.loads = loads;
  return with;
}

TEST(AccessPasses, LoadsHaveTheirPassesInTurnWithOthers) {
  Behind behind(with_loads(4));
  behind.load(3, 10);
  behind.load(2, 10);
  behind.enter(0, 0, 3, 10);
  behind.enter(1, 0, 3, 10);
  EXPECT_EQ(behind.passes.size(3), 0u);
  EXPECT_EQ(behind.ends(10, 40), (Events{{3, 15}, {0, 18}, {3, 19}, {1, 20}}));
  EXPECT_FALSE(behind.passes.wait());
}

TEST(AccessPasses, OthersGoPastAsManyLoadsAsThereIsRoomFor) {
  Behind behind(with_loads(1));
  for (int i = 0; i < 5; ++i) behind.load(4, 10);
  behind.enter(0, 0, 1, 10);
  const Events with_one = behind.ends(10, 60);
  EXPECT_EQ(with_one.size(), 6u);
  EXPECT_EQ(with_one.at(1), Event(0, 16)) << "three of the loads wait in the window";
  Behind roomy(with_loads(4));
  for (int i = 0; i < 5; ++i) roomy.load(4, 10);
  roomy.enter(0, 0, 1, 10);
  EXPECT_EQ(roomy.ends(10, 60).at(0), Event(0, 12));
}

TEST(AccessPasses, CopiesPastTheL1LeaveTheBanksToOthers) {
  Behind behind(with_loads(4));
  behind.load(5, 10, true);
  behind.load(5, 10, true);
  behind.load(1, 10);
  behind.enter(0, 0, 3, 10);
  EXPECT_EQ(behind.ends(10, 40), (Events{{3, 11}, {0, 14}, {3, 16}, {3, 21}}));
}

TEST(AccessPasses, BetweenReadsOfProductsOneBegins) {
  Behind behind(with_loads(4));
  behind.passes.product_reads(8, 24);
  behind.passes.product_reads(24, 40);
  for (unsigned s = 0; s < 3; ++s) behind.enter(s, 0, 2, 10);
  behind.load(5, 10, true);
  EXPECT_EQ(behind.ends(10, 60), (Events{{3, 10}, {0, 26}, {1, 42}, {2, 43}}))
      << "one that has begun goes on, and copies past the L1 do not wait";
  behind.passes.product_reads(100, 116);
  behind.enter(0, 0, 2, 100);
  EXPECT_EQ(behind.ends(100, 120), (Events{{0, 102}}));
}

TEST(AccessPasses, ACopyTakesTwoPlaces) {
  Behind behind(params(4, 1));
  behind.enter(0, 0, 4, 10);
  behind.ends(10, 10);  // it is in the window
  behind.load(1, 11, true);
  behind.load(1, 11, true);
  EXPECT_EQ(behind.passes.place_from(11), kNever);
  Behind others(params(4, 1));
  others.enter(0, 0, 4, 10);
  others.ends(10, 10);
  others.load(1, 11);
  others.load(1, 11);
  EXPECT_EQ(others.passes.place_from(11), 11u);
}

TEST(AccessPasses, TwoHaveTheirPassesInTurn) {
  Behind behind(params(8, 4));
  for (unsigned s = 0; s < 3; ++s) behind.enter(s, 0, 3, 10);
  EXPECT_EQ(behind.passes.size(0), 1u);
  EXPECT_EQ(behind.ends(10, 40), (Events{{0, 14}, {1, 15}, {2, 20}}));
  EXPECT_FALSE(behind.passes.wait());
  EXPECT_EQ(behind.passes.size(0), 0u);
}

TEST(AccessPasses, ThoseOfOneWarpFollowOneAnother) {
  Behind behind(params(8, 4));
  behind.enter(0, 0, 2, 10);
  behind.enter(0, 0, 2, 10);
  EXPECT_EQ(behind.ends(10, 40), (Events{{0, 12}, {0, 16}}));
}

TEST(AccessPasses, AnotherWarpGoesPastInTheWindow) {
  Behind behind(params(8, 2));
  behind.enter(0, 0, 3, 10);
  behind.enter(0, 0, 1, 10);
  behind.enter(1, 0, 1, 10);
  EXPECT_EQ(behind.ends(10, 40), (Events{{1, 12}, {0, 15}, {0, 17}}));
}

TEST(AccessPasses, WhatHasNoLanesWaitsForOlderOnesAlone) {
  Behind behind(params(8, 4));
  behind.enter(0, 0, 3, 10);
  behind.enter(1, 0, 1, 10, 0, false);
  EXPECT_EQ(behind.ends(10, 40), (Events{{0, 14}, {1, 15}}));
  behind.enter(0, 0, 3, 41);
  behind.enter(1, 0, 1, 41, 0, false);
  behind.enter(2, 0, 8, 41);
  EXPECT_EQ(behind.ends(41, 80), (Events{{0, 46}, {1, 48}, {2, 55}}));
}

TEST(AccessPasses, NoneGoesPastInFrontOfTheWindow) {
  Behind behind(params(8, 1));
  behind.enter(0, 0, 3, 10);
  behind.enter(0, 0, 1, 10);
  behind.enter(1, 0, 1, 10);
  EXPECT_EQ(behind.ends(10, 40), (Events{{0, 14}, {0, 16}, {1, 17}}));
}

TEST(AccessPasses, APlaceIsFreeAWhileAfterItWasLeft) {
  Behind behind(params(2, 1));
  behind.enter(0, 0, 4, 10);
  behind.enter(0, 0, 4, 10);
  EXPECT_EQ(behind.passes.place_from(10), kNever);
  EXPECT_EQ(behind.ends(10, 11),
            Events{});  // the first comes to the window at 10, the second at 12
  EXPECT_EQ(behind.passes.place_from(11), 15u);
  behind.enter(0, 0, 4, 15);
  EXPECT_EQ(behind.ends(12, 15), Events{});
  EXPECT_EQ(behind.passes.place_from(15), 17u);
}

TEST(AccessPasses, WhatHasNoPassesLeavesTheWindowWhenItsUnitAcceptsIt) {
  Behind behind(params(8, 1));
  behind.enter(0, 0, 4, 10);
  behind.enter(0, 0, 1, 10);
  behind.unit.has_passes = false;
  behind.enter(1, 0, 1, 10);
  EXPECT_EQ(behind.passes.size(1), 0u);
  EXPECT_EQ(behind.ends(10, 40), (Events{{0, 16}, {0, 18}, {1, 19}}));
}

TEST(AccessPasses, ThereIsRoomForDataAWhileAfterTheLastPass) {
  Behind behind(params(8, 4));
  EXPECT_EQ(behind.passes.words_from(8, 10), 10u);
  behind.passes.take_words(8, 10);
  behind.enter(0, 0, 2, 10, 8);
  EXPECT_EQ(behind.passes.words_from(1, 10), kNever);
  behind.ends(10, 12);
  EXPECT_EQ(behind.passes.words_from(1, 12), 15u);
  EXPECT_EQ(behind.passes.words_from(100, 12), 15u);
}

}  // namespace
}  // namespace shflsim::model
