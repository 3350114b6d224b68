// SPDX-License-Identifier: Apache-2.0
// The warps that could issue, and the states that warps are charged while they could not.
#include "model/scheduler/candidates.h"

#include <gtest/gtest.h>

#include <vector>

namespace shflsim::model {
namespace candidates_test {

constexpr unsigned kFxu = static_cast<unsigned>(Resource::kFxu);

/// The warp in each slot waits before its own instruction, one for the fixed-point pipe.
class CandidatesTest : public ::testing::Test {
 protected:
  CandidatesTest() {
    for (unsigned slot = 0; slot < kMostSlots; ++slot) warps_.stand_before(slot, slot);
  }
  void add(unsigned slot, bool is_open, Cycle now) {
    warps_.warp[slot].since = now;
    candidates_.add(slot, is_open, now);
  }
  uint64_t cycles_in(unsigned slot, WarpState state) const {
    return stats_[slot].states[static_cast<size_t>(state)];
  }

  static IssueRecord record() {
    IssueRecord record;
    record.resource = Resource::kFxu;
    return record;
  }
  const std::vector<IssueRecord> records_{kMostSlots, record()};
  std::vector<InstructionStats> stats_{kMostSlots};
  Warps warps_{records_, &stats_};
  Candidates candidates_{warps_};
};

TEST_F(CandidatesTest, ChargesAWarpWhatItsGroupWaitedForSinceItCame) {
  add(0, false, 10);
  candidates_.close(0, 12);
  add(1, true, 13);
  candidates_.close(1u << kFxu, 15);
  candidates_.remove(0, 18);
  candidates_.remove(1, 20);
  EXPECT_EQ(cycles_in(0, WarpState::kMathPipeThrottle), 5u);
  EXPECT_EQ(cycles_in(0, WarpState::kNotSelected), 3u);
  EXPECT_EQ(cycles_in(1, WarpState::kMathPipeThrottle), 5u);
  EXPECT_EQ(cycles_in(1, WarpState::kNotSelected), 2u);
}

TEST_F(CandidatesTest, ChargesAWarpThatSawNoChangeItsOwnCyclesAlone) {
  add(2, true, 10);
  add(3, true, 14);
  candidates_.remove(3, 15);
  candidates_.remove(2, 17);
  EXPECT_EQ(cycles_in(2, WarpState::kNotSelected), 7u);
  EXPECT_EQ(cycles_in(3, WarpState::kNotSelected), 1u);
  EXPECT_EQ(candidates_.all(), 0u);
  EXPECT_EQ(candidates_.wanted(), 0u);
}

TEST_F(CandidatesTest, ShowsTheStateOfEachWarpAndChargesNoCycleTwice) {
  add(0, false, 10);
  candidates_.show(10);
  EXPECT_EQ(warps_.warp[0].state, WarpState::kMathPipeThrottle);
  candidates_.freeze(12);
  candidates_.show(12);
  EXPECT_EQ(warps_.warp[0].state, WarpState::kDispatchStall);
  EXPECT_EQ(warps_.warp[0].since, 12u);
  candidates_.stop(17);
  EXPECT_EQ(cycles_in(0, WarpState::kMathPipeThrottle), 2u);
  EXPECT_EQ(cycles_in(0, WarpState::kDispatchStall), 5u);
}

}  // namespace candidates_test
}  // namespace shflsim::model
