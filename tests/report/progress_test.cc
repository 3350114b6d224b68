// SPDX-License-Identifier: Apache-2.0
#include "report/progress.h"

#include <gtest/gtest.h>

#include <sstream>

namespace shflsim::report {
namespace {

using std::chrono::milliseconds;

/// A line on a clock that the test turns.
class Progress : public ::testing::Test {
 protected:
  std::string shown_at(int ms, const std::string& text) {
    out_.str("");
    at_ = ProgressLine::Clock::time_point(milliseconds(ms));
    line_.update([&] { return text; });
    return out_.str();
  }

  std::ostringstream out_;
  ProgressLine::Clock::time_point at_;
  ProgressLine line_{&out_, [this] { return at_; }};
};

TEST_F(Progress, IsSilentForTwoSecondsAndThenShowsALineEveryHalfSecondAtMost) {
  EXPECT_EQ(shown_at(1999, "a"), "");
  EXPECT_EQ(shown_at(2000, "b"), "\rb");
  EXPECT_EQ(shown_at(2499, "c"), "");
  EXPECT_EQ(shown_at(2500, "d"), "\rd");
}

TEST_F(Progress, OverwritesALongerLine) {
  EXPECT_EQ(shown_at(2000, "long"), "\rlong");
  EXPECT_EQ(shown_at(3000, "s"), "\rs   ");
  EXPECT_EQ(shown_at(4000, "t"), "\rt");
}

TEST_F(Progress, OfManyRunsCountsThem) {
  at_ += milliseconds(2000);
  line_.update_runs(3, 12);
  EXPECT_EQ(out_.str(), "\r3 of 12 runs");
}

TEST_F(Progress, OfARunHasItsCyclesAndWarps) {
  RunProgress progress(&line_, 7);
  EXPECT_FALSE(progress.follows_instructions());
  progress.warp_left({}, 90);
  progress.warp_left({}, 95);
  at_ += milliseconds(2000);
  progress.reached(1024);
  EXPECT_EQ(out_.str(), "\rcycle 1024, 2 of 7 warps finished");
}

TEST(ProgressLine, IsErasedWhenTheWorkIsOver) {
  std::ostringstream out;
  ProgressLine::Clock::time_point at;
  {
    ProgressLine line(&out, [&at] { return at; });
    at += milliseconds(5000);
    line.update([] { return "half"; });
  }
  EXPECT_EQ(out.str(), "\rhalf\r    \r");
}

TEST(ProgressLine, OfShortWorkLeavesNoTrace) {
  std::ostringstream out;
  {
    ProgressLine line(&out, [] { return ProgressLine::Clock::time_point(); });
  }
  EXPECT_EQ(out.str(), "");
}

TEST(ProgressLine, WithoutATerminalIsNotShown) {
  ProgressLine line(nullptr);
  EXPECT_FALSE(line.is_shown());
  line.update([]() -> std::string { throw std::logic_error("nobody reads it"); });
}

}  // namespace
}  // namespace shflsim::report
