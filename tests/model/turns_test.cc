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
class Sms {
 public:
  explicit Sms(std::vector<std::vector<Cycle>> uses)
      : uses_(std::move(uses)),
        progress_(uses_.size()),
        turns_(progress_, [this](unsigned sm) { run(sm); }) {
    for (unsigned sm = 0; sm < uses_.size(); ++sm) turns_.set_due(sm);
  }

  const std::vector<Use>& until(Cycle end) {
    end_ = end;
    while (turns_.cycle() < end) turns_.resume();
    return done_;
  }
  void fail_in(unsigned sm, Cycle cycle) { failing_ = {cycle, sm}; }
  /// Each run of an SM owns it, too.
  std::shared_ptr<int> inside() const { return inside_; }

 private:
  void run(unsigned sm) {
    const std::shared_ptr<int> here = inside_;
    Cycle& due = progress_[sm].due;
    for (; due < end_; ++due) {
      if (Use(due, sm) == failing_) throw std::runtime_error("failed");
      for (const Cycle use : uses_[sm]) {
        if (use != due) continue;
        turns_.wait(sm, due);
        done_.emplace_back(due, sm);
      }
    }
  }

  const std::vector<std::vector<Cycle>> uses_;
  std::vector<SmProgress> progress_;
  std::shared_ptr<int> inside_ = std::make_shared<int>(0);
  std::vector<Use> done_;
  Use failing_{kNever, 0};
  Cycle end_ = 0;
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
    Sms sms(uses);
    for (Cycle end = 10; end <= 200; end += 10) sms.until(end);
    EXPECT_EQ(sms.until(200), expected) << count << " SMs";
  }
}

TEST(Turns, AnExceptionEndsTheRunInItsOwnCycle) {
  Sms sms({{1, 20}, {3, 30}, {8, 15}});
  sms.fail_in(0, 10);
  EXPECT_THROW(sms.until(50), std::runtime_error);
  EXPECT_THAT(sms.until(0), testing::ElementsAre(Use(1, 0), Use(3, 1), Use(8, 2)));
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

TEST(Turns, NoSmIsDueAtFirst) {
  std::vector<SmProgress> progress(3);
  const Turns turns(progress, [](unsigned) {});
  EXPECT_EQ(turns.cycle(), kNever);
}

}  // namespace turns_test
}  // namespace shflsim::model
