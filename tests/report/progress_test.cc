// SPDX-License-Identifier: Apache-2.0
#include "report/terminal/progress.h"

#include <gtest/gtest.h>

#include <sstream>

#include "isa/base/work.h"
#include "report/terminal/screen.h"

namespace shflsim::report {
namespace progress_test {

using std::chrono::milliseconds;

/// A progress line whose clock the test sets.
class Progress : public ::testing::Test {
 protected:
  std::string shown_at(int ms, const std::string& text) {
    out_.str("");
    at_ = ProgressLine::Clock::time_point(milliseconds(ms));
    line_.update([&](double /*seconds*/) { return text; });
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

TEST_F(Progress, U4LongWorkOfManyRunsCountsThemWithTheirRateAndTheTimeLeft) {
  at_ += milliseconds(2000);
  line_.update_count(3, 12, "runs");
  EXPECT_EQ(out_.str(), "\r3 of 12 runs, 1.5 runs/s, 6 s left");
}

TEST_F(Progress, U4LongWorkOfARunHasItsCyclesWarpsRateAndTheTimeLeft) {
  RunProgress progress(&line_, 7);
  EXPECT_FALSE(progress.follows_instructions());
  progress.warp_left({}, 90);
  progress.warp_left({}, 95);
  at_ += milliseconds(2000);
  progress.reached(1024);
  EXPECT_EQ(out_.str(), "\rcycle 1024, 512 cycles/s, 2 of 7 warps finished, 5 s left");
}

TEST_F(Progress, WhereNobodyKnowsTheEndHasNoTimeLeft) {
  at_ += milliseconds(4000);
  line_.update_count(10000000, 0, "lines");
  EXPECT_EQ(out_.str(), "\r10000000 lines, 2.5 M lines/s");
}

TEST_F(Progress, SaysTheTimeLeftInMinutesAndHours) {
  at_ += milliseconds(4000);
  line_.update_count(4, 90, "runs");
  at_ += milliseconds(1000);
  line_.update_count(1, 1000, "runs");
  EXPECT_EQ(out_.str(),
            "\r4 of 90 runs, 1.0 runs/s, 1:26 min left"
            "\r1 of 1000 runs, 0.2 runs/s, 1:23 h left");
}

TEST_F(Progress, IsNeverLongerThanTheScreen) {
  set_screen(out_, {40, false});
  EXPECT_EQ(shown_at(2000, std::string(100, 'a')), "\r" + std::string(39, 'a'));
}

TEST(ProgressLine, PlainIsALineEveryTenSecondsThatStays) {
  set_progress(ProgressKind::kPlain);
  std::ostringstream out;
  ProgressLine::Clock::time_point at;
  {
    ProgressLine line(&out, [&at] { return at; });
    for (const int seconds : {9, 10, 19, 20}) {
      at = ProgressLine::Clock::time_point(std::chrono::seconds(seconds));
      line.update_count(static_cast<uint64_t>(seconds), 0, "runs");
    }
  }
  set_progress(ProgressKind::kTerminal);
  EXPECT_EQ(out.str(), "10 runs, 1.0 runs/s\n20 runs, 1.0 runs/s\n");
}

TEST(ProgressLine, IsErasedWhenTheWorkIsOver) {
  std::ostringstream out;
  ProgressLine::Clock::time_point at;
  {
    ProgressLine line(&out, [&at] { return at; });
    at += milliseconds(5000);
    line.update([](double /*seconds*/) { return "half"; });
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
  line.update([](double /*seconds*/) -> std::string { throw std::logic_error("nobody reads it"); });
}

/// Keeps the last report.
struct Listener final : WorkListener {
  void work_done(uint64_t done, uint64_t all, const char* unit) override {
    told = std::to_string(done) + "/" + std::to_string(all) + " " + unit;
  }
  std::string told;
};

TEST(Work, U4LongWorkIsToldToWhoListensAndToNobodyElse) {
  Listener outer;
  EXPECT_EQ(listen_to_work(&outer), nullptr);
  Listener inner;
  EXPECT_EQ(listen_to_work(&inner), &outer);
  tell_work(3, 7, "warps");
  EXPECT_EQ(listen_to_work(nullptr), &inner);
  tell_work(4, 7, "warps");
  EXPECT_EQ(inner.told, "3/7 warps");
  EXPECT_EQ(outer.told, "");
}

}  // namespace progress_test
}  // namespace shflsim::report
