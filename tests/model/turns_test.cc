// SPDX-License-Identifier: Apache-2.0
#include "model/chip/turns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

namespace shflsim::model {
namespace turns_test {

using Use = std::pair<Cycle, unsigned>;  // cycle and SM

/// SMs that use a shared part in given cycles, and do nothing else.
class Sms : private TurnTakers {
 public:
  explicit Sms(std::vector<std::vector<Cycle>> uses, unsigned threads = 1)
      : uses_(std::move(uses)),
        progress_(uses_.size()),
        clocks_(uses_.size()),
        turns_(progress_, clocks_, *this, threads) {
    for (unsigned sm = 0; sm < uses_.size(); ++sm) starts_.push_back(0);
  }

  const std::vector<Use>& until(Cycle end) {
    turns_.run_until(end);
    return done_;
  }
  const std::vector<Use>& until_failed() const { return done_; }
  Cycle next() { return turns_.next(); }
  void fail_in(unsigned sm, Cycle cycle) { failing_ = {cycle, sm}; }
  /// The SM starts in this cycle.
  void start_in(unsigned sm, Cycle cycle) { starts_[sm] = cycle; }
  /// Each run of an SM owns it, too.
  std::shared_ptr<int> inside() const { return inside_; }

 private:
  void run(unsigned sm, Cycle until) override {
    const std::shared_ptr<int> here = inside_;
    Cycle& due = progress_[sm].due;
    for (; due < until; ++due) {
      clocks_[sm].now = due;
      if (Use(due, sm) == failing_) throw std::runtime_error("failed");
      for (const Cycle use : uses_[sm]) {
        if (use != due) continue;
        turns_.wait(sm, due);
        done_.emplace_back(due, sm);
      }
    }
  }
  Cycle start_of(unsigned sm, Cycle /*from*/) override { return starts_[sm]; }
  Cycle first_start(Cycle /*from*/) override {
    return *std::min_element(starts_.begin(), starts_.end());
  }
  std::vector<unsigned> start_blocks(Cycle now) override {
    std::vector<unsigned> started;
    for (unsigned sm = 0; sm < starts_.size(); ++sm) {
      if (starts_[sm] != now) continue;
      starts_[sm] = kNever;
      progress_[sm].due = now;
      started.push_back(sm);
    }
    return started;
  }

  const std::vector<std::vector<Cycle>> uses_;
  std::vector<SmProgress> progress_;
  std::vector<SmClock> clocks_;
  std::vector<Cycle> starts_;  ///< by SM
  std::shared_ptr<int> inside_ = std::make_shared<int>(0);
  std::vector<Use> done_;  ///< changed in turns only
  Use failing_{kNever, 0};
  Turns turns_;
};

TEST(Turns, AreTakenInTheOrderOfCyclesAndThenOfSms) {
  Sms sms({{5, 7}, {0, 7, 7}, {6}});
  EXPECT_THAT(sms.until(10), testing::ElementsAre(Use(0, 1), Use(5, 0), Use(6, 2), Use(7, 0),
                                                  Use(7, 1), Use(7, 1)));
}

TEST(Turns, OfRandomUsesAreInOrderInEachQuantum) {
  std::mt19937 random(1);
  for (const unsigned count : {1u, 2u, 5u, 132u}) {
    std::vector<std::vector<Cycle>> uses(count);
    std::vector<Use> expected;
    for (unsigned sm = 0; sm < count; ++sm) {
      for (Cycle cycle = random() % 8; cycle < 200; cycle += random() % 30) {
        uses[sm].push_back(cycle);
        expected.emplace_back(cycle, sm);
      }
    }
    std::sort(expected.begin(), expected.end());
    for (const unsigned threads : {1u, 2u, 3u, 7u}) {
      Sms sms(uses, threads);
      for (Cycle end = 10; end <= 200; end += 10) sms.until(end);
      EXPECT_EQ(sms.until(200), expected) << count << " SMs, " << threads << " threads";
    }
  }
}

/// An SM that starts late comes before the later uses of an SM that nothing else stops.
TEST(Turns, BlocksStartBeforeTheUsesInTheirCycle) {
  for (const unsigned threads : {1u, 2u}) {
    Sms sms({{5, 20, 30}, {20, 25}}, threads);
    sms.start_in(1, 20);
    EXPECT_THAT(sms.until(50),
                testing::ElementsAre(Use(5, 0), Use(20, 0), Use(20, 1), Use(25, 1), Use(30, 0)));
  }
}

TEST(Turns, AnExceptionEndsTheRunInItsOwnCycle) {
  for (const unsigned threads : {1u, 2u, 3u}) {
    Sms sms({{1, 20}, {3, 30}, {8, 15}}, threads);
    sms.fail_in(0, 10);
    EXPECT_THROW(sms.until(50), std::runtime_error);
    EXPECT_THAT(sms.until_failed(), testing::ElementsAre(Use(1, 0), Use(3, 1), Use(8, 2)));
  }
}

TEST(Turns, RunsThatWaitAtTheEndAreUnwound) {
  auto sms = std::make_unique<Sms>(std::vector<std::vector<Cycle>>(3, {4}));
  const std::shared_ptr<int> inside = sms->inside();
  const auto unused = inside.use_count();
  sms->fail_in(0, 2);
  EXPECT_THROW(sms->until(10), std::runtime_error);
  EXPECT_EQ(inside.use_count(), unused + 2) << "SMs 1 and 2 wait in cycle 4";
  sms.reset();
  EXPECT_EQ(inside.use_count(), 1);
}

TEST(Turns, NoSmIsDueBeforeABlockStarts) {
  Sms sms(std::vector<std::vector<Cycle>>(2));
  sms.start_in(0, 3);
  sms.start_in(1, kNever);
  EXPECT_EQ(sms.next(), 3u);
}

}  // namespace turns_test
}  // namespace shflsim::model
