// SPDX-License-Identifier: Apache-2.0
// The cycle in which warps that wait for phases of barriers in shared memory continue.
#include "model/sm/held_warps.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace shflsim::model {
namespace held_warps_test {

/// Values measured on an H100 (asynchronous, wakes).
CopyEngineParams hopper_waits() {
  CopyEngineParams params;
  params.wake = 40;
  params.woken = 32;
  params.awake = 42;
  params.asleep = 74;
  params.first_look = 24;
  params.look = 75;
  params.looks = 2;
  params.seen = 42;
  params.looked = 12;
  params.wait.limit = 7720;
  params.after_loads = 3;
  return params;
}

struct NoMemory : MemoryPort {
  Cycle take(Cycle now) override { return now; }
  Fetched fetch(const LineRequest& /*request*/, Cycle now) override { return {now, 0}; }
  Cycle write(const LineRequest& /*request*/, Cycle now) override { return now; }
  Updated update(const LineRequest& /*request*/, const Update& /*update*/, Cycle now) override {
    return {now};
  }
};

constexpr uint32_t kClockMhz = 2000;  ///< two cycles a nanosecond

struct Waits {
  explicit Waits(const CopyEngineParams& params)
      : held("copy_engine", params, ClusterParams(), 0, {}, trace, &is_ending, kClockMhz) {
    held.engine().chip.bind(memory);
    held.start_warp(5, 77);
  }
  /// The cycle in which a warp continues that waits from 1000 on for a phase that ends at `end`.
  Cycle goes_on(Cycle end, bool has_others, bool by_copy = false, bool sleeps = false) {
    held.hold(5, {isa::OpKind::kSharedCheck, has_others, sleeps}, 1000);
    is_ending = by_copy;
    held.release(77);
    is_ending = false;
    const auto releases = held.take_releases(end);
    EXPECT_EQ(releases.size(), 1u);
    EXPECT_EQ(releases[0].sm_slot, 5u);
    return releases[0].cycle;
  }
  traces::Trace trace;
  NoMemory memory;
  bool is_ending = false;
  HeldWarps held;
};

TEST(HeldWarps, WithOtherLanesElsewhereSeeArrivalsWhenTheyLookAndLookLessOftenLater) {
  struct Row {
    Cycle end, goes_on;
  };
  for (const Row& row :
       {Row{1000, 1032}, Row{1041, 1073}, Row{1042, 1111}, Row{1057, 1111}, Row{1058, 1186},
        Row{1132, 1186}, Row{1133, 1336}, Row{1282, 1336}, Row{1283, 1486}, Row{3000, 3136}}) {
    Waits waits(hopper_waits());
    EXPECT_EQ(waits.goes_on(row.end, true), row.goes_on) << row.end;
  }
}

TEST(HeldWarps, WithOtherLanesElsewhereSeeCopiesWithoutTheWayOfAnArrival) {
  struct Row {
    Cycle end, goes_on;
  };
  for (const Row& row : {Row{1000, 1040}, Row{1042, 1111}, Row{1099, 1111}, Row{1100, 1186},
                         Row{1174, 1186}, Row{1175, 1336}, Row{1324, 1336}, Row{1325, 1486}}) {
    Waits waits(hopper_waits());
    EXPECT_EQ(waits.goes_on(row.end, true, true), row.goes_on) << row.end;
  }
}

TEST(HeldWarps, WithoutOtherLanesGoOnAtOnce) {
  for (const Cycle end : {1000u, 1100u, 1283u, 3000u}) {
    for (const bool by_copy : {false, true}) {
      Waits waits(hopper_waits());
      EXPECT_EQ(waits.goes_on(end, false, by_copy), end + (by_copy ? 40 : 32)) << end;
    }
  }
}

TEST(HeldWarps, TheLongestWaitIsNoEventOnceTheWaitIsOver) {
  Waits waits(hopper_waits());
  waits.goes_on(1100, false);
  EXPECT_EQ(waits.held.due(), kNever);
}

TEST(HeldWarps, WithoutLooksGoOnAtOnce) {
  CopyEngineParams params;
  params.woken = 7;
  Waits waits(params);
  EXPECT_EQ(waits.goes_on(1283, true), 1290u);
}

TEST(HeldWarps, HearOfLoadsPastTheRegistersBehindThem) {
  Waits waits(hopper_waits());
  isa::BulkCopy arrival;
  arrival.way = isa::BulkCopy::Way::kAfterLoads;
  arrival.receivers.push_back({0, 8});
  waits.held.end_later(arrival, 2000);
  EXPECT_EQ(waits.held.due(), 2003u);
}

TEST(HeldWarps, WithALimitAndOtherLanesElsewhereSleepAndWakeLater) {
  for (const Cycle end : {1100u, 1500u, 5000u}) {
    EXPECT_EQ(Waits(hopper_waits()).goes_on(end, true, false, true), end + 32 + 74) << end;
    EXPECT_EQ(Waits(hopper_waits()).goes_on(end, true, true, true), end + 40 + 74) << end;
  }
  EXPECT_EQ(Waits(hopper_waits()).goes_on(1030, true, false, true), 1030u + 32);
}

TEST(HeldWarps, GiveUpAtTheEndOfTheTimersPeriodThatTheirLimitNames) {
  struct Row {
    bool sleeps;
    uint32_t limit;  ///< in nanoseconds
    Cycle gives_up;
  };
  for (const Row& row : {Row{true, 200, 1536}, Row{true, 500, 2048}, Row{true, 20, 1088},
                         Row{true, 20000, 8720}, Row{true, 0, 8720}, Row{false, 200, 8720}}) {
    Waits waits(hopper_waits());
    waits.held.hold(5, {isa::OpKind::kSharedCheck, true, row.sleeps, row.limit}, 1000);
    EXPECT_EQ(waits.held.due(), row.gives_up) << row.limit;
  }
}

TEST(HeldWarps, OfSeveralTheOneWithTheEarliestLimitIsDue) {
  Waits waits(hopper_waits());
  waits.held.hold(5, {isa::OpKind::kSharedCheck, true, false}, 1000);
  waits.held.hold(6, {isa::OpKind::kSharedCheck, true, true, 200}, 1010);
  EXPECT_EQ(waits.held.due(), 1536u);
}

TEST(HeldWarps, WakeOneAfterAnotherInTheOrderOfTheirWaits) {
  CopyEngineParams params;
  params.woken = 36;
  params.wait.interval = 2;
  Waits waits(params);
  waits.held.start_warp(6, 78);
  waits.held.start_warp(7, 79);
  waits.held.hold(6, {isa::OpKind::kSharedCheck}, 1000);
  waits.held.hold(7, {isa::OpKind::kSharedCheck}, 1010);
  waits.held.hold(5, {isa::OpKind::kSharedCheck}, 1005);
  for (const size_t warp : {77u, 78u, 79u}) waits.held.release(warp);
  std::vector<std::pair<unsigned, Cycle>> found;
  for (const HeldWarps::Release& each : waits.held.take_releases(1100))
    found.emplace_back(each.sm_slot, each.cycle);
  EXPECT_EQ(found, (std::vector<std::pair<unsigned, Cycle>>{{6, 1136}, {5, 1138}, {7, 1140}}));
}

}  // namespace held_warps_test
}  // namespace shflsim::model
