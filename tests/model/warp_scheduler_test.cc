// SPDX-License-Identifier: Apache-2.0
// The warp scheduler with a dispatch unit, and stand-ins for the rest of the SM: its inputs are
// instructions, its outputs are slot and state.
#include "model/scheduler/warp_scheduler.h"

#include <gtest/gtest.h>

#include <vector>

namespace shflsim::model {
namespace warp_scheduler_test {

constexpr uint32_t kFxuInterval = 4;
constexpr unsigned kNobody = kMostSlots;

Facts math(uint8_t stall = 1) {
  Facts facts;
  facts.pipe = isa::Pipe::kFmai;
  facts.stall = stall;
  return facts;
}

/// Holds its pipe for kFxuInterval cycles.
Facts slow_math() {
  Facts facts = math();
  facts.pipe = isa::Pipe::kFxu;
  return facts;
}

/// A shuffle; SB0 waits for its result.
Facts shuffle() {
  Facts facts;
  facts.pipe = isa::Pipe::kShuffle;
  facts.control.write_barrier = 0;
  return facts;
}

Facts math_behind_shuffle() {
  Facts facts = math();
  facts.control.wait_mask = 1;
  return facts;
}

/// The MIO arbiter as seen from a queue.
class Arbiter : public MioHeads {
 public:
  void head_came(unsigned /*sub_partition*/, const MioHead& head, Cycle /*now*/) override {
    request = head.request;
  }
  void came_apart(unsigned, const MioRequest&, Cycle) override {}
  const MioRequest* request = nullptr;
};

/// Chooses the lowest slot that can issue.
class Lowest : public SchedulingPolicy {
 public:
  unsigned choose(const IssueCandidates& candidates) override {
    return static_cast<unsigned>(__builtin_ctz(candidates.eligible));
  }
};

/// The front end of a sub-partition whose warps all execute the same code. Its queue to the shared
/// units has one entry.
class Front {
 public:
  explicit Front(const std::vector<Facts>& code)
      : table_{code, {}},
        trace_(trace_of(code.size())),
        instructions_(code.size()),
        fetch_("fetch", fetch_params(),
               CodeLayout(code.size(), isa::facts(isa::Family::kMaxwell), 128)),
        dependence_(make_control_bits("dependence", {})),
        dispatch_("dispatch", dispatch_params(), table_, fetch_, *dependence_, warps_),
        warps_(table_.records, &instructions_),
        scheduler_("scheduler", std::make_unique<Lowest>(), warps_, dispatch_, *dependence_,
                   fetch_) {
    dispatch_.mio_queue().arbiter.bind(arbiter_);
  }

  /// Starts a warp in cycle 0 that may issue from `ready` on.
  void start(unsigned slot, Cycle ready) {
    warps_.start(slot, traces::WarpReader(trace_, slot), &warp_stats_[slot], 0);
    scheduler_.start(slot, 0, ready);
  }

  /// Runs one cycle; returns the slot that issues, or kNobody.
  unsigned cycle(Cycle now) {
    const unsigned slot = issue_one(now);
    scheduler_.candidates().show(now);
    return slot;
  }

  unsigned issue_one(Cycle now) {
    scheduler_.look_again(dependence_->update(now));
    const SlotMask eligible = scheduler_.eligible(now);
    if (eligible == 0) return kNobody;
    const unsigned slot = scheduler_.choose(eligible, now);
    scheduler_.take(slot, warps_.warp[slot], now);
    issue(slot, now);
    if (stops_at_barrier_) scheduler_.stop(slot, WarpState::kBarrier);
    scheduler_.settle(slot, warps_.warp[slot], now);
    return slot;
  }

  void issue(unsigned slot, Cycle now) {
    dispatch_.start(slot, warps_.warp[slot], now);
    scheduler_.sit_out(slot, now + warps_.warp[slot].record->stall);
    warps_.warp[slot].steps->next();
    warps_.warp[slot].stand_before_next();
  }

  WarpState state(unsigned slot) const { return warps_.warp[slot].state; }
  uint64_t cycles_in(uint32_t index, WarpState state) const {
    return instructions_[index].states[static_cast<size_t>(state)];
  }

 private:
  static traces::Trace trace_of(size_t instructions) {
    traces::WarpTrace warp;
    for (uint32_t i = 0; i < instructions; ++i)
      warp.steps.push_back({i, isa::kAllLanes, traces::Step::kNone});
    traces::Trace trace;
    trace.warps.assign(kMostSlots, warp);
    return trace;
  }
  static FetchParams fetch_params() {
    FetchParams params;
    params.warm = params.warm_l0 = 1;
    params.line_bytes = 128;
    params.l0_bytes = 1024;
    params.stream = 1;
    return params;
  }
  static Dispatch::Params dispatch_params() {
    Dispatch::Params params;
    params.register_file.banks = 4;
    params.register_file.ports = 1;
    params.math.fmai_interval = 1;
    params.math.fxu_interval = kFxuInterval;
    params.mio.queue_depth = 1;
    params.mio.global_depth = 1;
    return params;
  }

  IssueTable table_;
  const traces::Trace trace_;
  std::vector<InstructionStats> instructions_;
  std::array<WarpStats, kMostSlots> warp_stats_;
  Fetch fetch_;
  const std::unique_ptr<Dependence> dependence_;

 public:
  Arbiter arbiter_;
  Dispatch dispatch_;
  Warps warps_;
  WarpScheduler scheduler_;
  bool stops_at_barrier_ = false;
};

TEST(WarpScheduler, LetsAWarpIssueFromItsTimeOn) {
  Front front({math(), math()});
  front.start(5, 3);
  EXPECT_EQ(front.cycle(0), kNobody);
  EXPECT_EQ(front.state(5), WarpState::kNoInstruction);
  EXPECT_EQ(front.scheduler_.next_ready(), 3u);
  EXPECT_EQ(front.cycle(2), kNobody);
  EXPECT_EQ(front.cycle(3), 5u);
  EXPECT_EQ(front.cycles_in(0, WarpState::kNoInstruction), 3u);
  EXPECT_EQ(front.cycles_in(0, WarpState::kSelected), 1u);
}

TEST(WarpScheduler, IssuesOneWarpACycleAndTheOthersAreNotSelected) {
  Front front({math(2), math()});
  front.start(0, 0);
  front.start(1, 0);
  EXPECT_EQ(front.cycle(0), 0u);
  EXPECT_EQ(front.state(1), WarpState::kNotSelected);
  EXPECT_EQ(front.cycle(1), 1u);
  EXPECT_EQ(front.cycles_in(0, WarpState::kNotSelected), 1u);
}

TEST(WarpScheduler, LetsAWarpSitOutItsStallCount) {
  Front front({math(6), math(), math()});
  front.start(0, 0);
  EXPECT_EQ(front.cycle(0), 0u);
  EXPECT_EQ(front.state(0), WarpState::kWait);
  EXPECT_EQ(front.scheduler_.next_ready(), 6u);
  EXPECT_EQ(front.cycle(5), kNobody);
  EXPECT_EQ(front.cycle(6), 0u);
  EXPECT_EQ(front.cycles_in(1, WarpState::kWait), 5u);
}

TEST(WarpScheduler, HoldsAWarpBackForTheLongerOfTwoReasons) {
  Front front({math(), math()});
  front.start(0, 4);
  front.scheduler_.hold_back(0, 3, WarpState::kBranchResolving);
  EXPECT_EQ(front.cycle(0), kNobody);
  EXPECT_EQ(front.state(0), WarpState::kNoInstruction);
  front.scheduler_.hold_back(0, 6, WarpState::kBranchResolving);
  EXPECT_EQ(front.cycle(5), kNobody);
  EXPECT_EQ(front.cycle(6), 0u);
}

TEST(WarpScheduler, BlocksAWarpUntilTheResultThatItWaitsFor) {
  Front front({shuffle(), math_behind_shuffle(), math()});
  front.start(0, 0);
  EXPECT_EQ(front.cycle(0), 0u);
  EXPECT_EQ(front.cycle(1), kNobody);
  EXPECT_EQ(front.state(0), WarpState::kShortScoreboard);
  MioCompletion completion;
  completion.result = 9;
  front.dispatch_.completed(*front.arbiter_.request, completion);
  EXPECT_EQ(front.scheduler_.next_result(), 9u);
  EXPECT_EQ(front.cycle(8), kNobody);
  EXPECT_EQ(front.cycle(9), 0u);
  EXPECT_EQ(front.cycles_in(1, WarpState::kShortScoreboard), 8u);
}

TEST(WarpScheduler, NamesNoResultThatNoWarpMayWaitFor) {
  Front front({shuffle(), math()});
  front.start(0, 0);
  EXPECT_EQ(front.cycle(0), 0u);
  MioCompletion completion;
  completion.result = 9;
  front.dispatch_.completed(*front.arbiter_.request, completion);
  EXPECT_EQ(front.scheduler_.next_result(), kNever);
}

TEST(WarpScheduler, ThrottlesWhatNeedsABusyPipe) {
  Front front({slow_math(), slow_math(), math()});
  front.start(0, 0);
  front.start(1, 0);
  EXPECT_EQ(front.cycle(0), 0u);
  EXPECT_EQ(front.cycle(1), kNobody);
  EXPECT_EQ(front.state(0), WarpState::kMathPipeThrottle);
  EXPECT_EQ(front.state(1), WarpState::kMathPipeThrottle);
  EXPECT_EQ(front.scheduler_.next_of_awake(1), 4u);
  EXPECT_EQ(front.cycle(4), 0u);
}

TEST(WarpScheduler, ThrottlesWhatFindsTheQueueFull) {
  Front front({shuffle(), math(20), math()});
  front.start(0, 0);
  front.start(1, 0);
  EXPECT_EQ(front.cycle(0), 0u);
  EXPECT_EQ(front.cycle(1), 0u);  // its math goes ahead
  EXPECT_EQ(front.state(1), WarpState::kMioThrottle);
  EXPECT_EQ(front.scheduler_.next_of_awake(2), kNever);  // the queue says when it has room
  front.dispatch_.mio_queue().pop(2);
  EXPECT_EQ(front.cycle(3), 1u);
  EXPECT_EQ(front.cycles_in(0, WarpState::kMioThrottle), 2u);
}

TEST(WarpScheduler, StopsAWarpAtABarrierUntilItIsReleased) {
  Front front({math(), math()});
  front.start(0, 0);
  front.stops_at_barrier_ = true;
  EXPECT_EQ(front.cycle(0), 0u);
  EXPECT_EQ(front.state(0), WarpState::kBarrier);
  EXPECT_EQ(front.cycle(1), kNobody);
  front.scheduler_.leave_barrier(0, 7, 3);
  EXPECT_EQ(front.cycle(4), kNobody);
  EXPECT_EQ(front.state(0), WarpState::kBarrier);
  EXPECT_EQ(front.scheduler_.next_ready(), 7u);
}

TEST(WarpScheduler, HoldsOnlyMioInstructionsBehindADeferredBarrier) {
  Front front({math(), shuffle(), math()});
  front.start(0, 0);
  front.warps_.warp[0].barrier_release = 5;
  EXPECT_EQ(front.cycle(0), 0u);
  EXPECT_EQ(front.cycle(1), kNobody);
  EXPECT_EQ(front.state(0), WarpState::kBarrier);
  EXPECT_EQ(front.scheduler_.next_of_awake(1), 5u);
  EXPECT_EQ(front.cycle(5), 0u);
}

TEST(WarpScheduler, PutsOffWhatIsToComeWhereIssueStandsStill) {
  Front front({math(), math()});
  front.start(0, 4);
  EXPECT_EQ(front.cycle(0), kNobody);
  front.scheduler_.freeze(0, 3);
  EXPECT_EQ(front.scheduler_.next_ready(), 7u);
  EXPECT_EQ(front.cycle(6), kNobody);
  EXPECT_EQ(front.cycle(7), 0u);
}

TEST(WarpScheduler, TakesTheSecondOfAPairWhereItsPipeIsFree) {
  Front front({math(), slow_math(), slow_math(), math()});
  front.start(0, 0);
  const SlotMask eligible = front.scheduler_.eligible(0);
  ASSERT_EQ(front.scheduler_.choose(eligible, 0), 0u);
  front.scheduler_.take(0, front.warps_.warp[0], 0);
  front.issue(0, 0);
  EXPECT_TRUE(front.scheduler_.takes_second(0, 0));
  front.issue(0, 0);
  EXPECT_FALSE(front.scheduler_.takes_second(0, 0));  // the one before has taken the pipe
  front.scheduler_.settle(0, front.warps_.warp[0], 0);
  EXPECT_EQ(front.state(0), WarpState::kWait);
  EXPECT_TRUE(front.scheduler_.is_busy(false, 0));  // it may issue in the next cycle
}

}  // namespace warp_scheduler_test
}  // namespace shflsim::model
