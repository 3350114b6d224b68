// SPDX-License-Identifier: Apache-2.0
#include "sweep/processes.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace shflsim::sweep {
namespace processes_test {

std::vector<Answer> answers_of(size_t count, unsigned processes,
                               const std::function<std::string(size_t)>& task) {
  std::vector<Answer> answers;
  run_in_processes(count, processes, task, in_order([&answers](size_t number, Answer answer) {
                     EXPECT_EQ(number, answers.size());
                     answers.push_back(std::move(answer));
                   }));
  EXPECT_EQ(answers.size(), count);
  return answers;
}

/// Every fourth task takes longer than the others.
std::string slow_at_first(size_t number) {
  usleep(static_cast<useconds_t>(number % 4 == 0 ? 3000 : 0));
  return std::to_string(number);
}

TEST(Processes, GiveAnswersInTheOrderOfTheTasks) {
  for (const unsigned processes : {1u, 2u, 5u, 100u}) {
    const std::vector<Answer> answers = answers_of(40, processes, slow_at_first);
    for (size_t i = 0; i < answers.size(); ++i) {
      EXPECT_EQ(answers[i].end, Answer::End::kAnswered);
      EXPECT_EQ(answers[i].text, std::to_string(i));
    }
  }
}

TEST(Processes, DoManyTasksEach) {
  std::set<std::string> seen;
  for (const Answer& answer : answers_of(200, 3, [](size_t) { return std::to_string(getpid()); }))
    seen.insert(answer.text);
  EXPECT_LE(seen.size(), 3u);
  EXPECT_EQ(seen.count(std::to_string(getpid())), 0u);
}

TEST(Processes, CarryAnswersOfAnySize) {
  const std::vector<Answer> answers =
      answers_of(5, 2, [](size_t i) { return std::string(i * 1000000, 'x'); });
  for (size_t i = 0; i < answers.size(); ++i) EXPECT_EQ(answers[i].text.size(), i * 1000000);
}

TEST(Processes, HaveNothingToDoWithoutTasks) { EXPECT_TRUE(answers_of(0, 3, {}).empty()); }

TEST(Processes, CostNoMoreThanTheTaskThatTheyDieAt) {
  for (const unsigned processes : {1u, 2u, 5u}) {
    const std::vector<Answer> answers = answers_of(9, processes, [](size_t i) -> std::string {
      if (i == 2) raise(SIGKILL);
      if (i == 3 || i == 8) _exit(7);
      return std::to_string(i);
    });
    for (size_t i = 0; i < answers.size(); ++i) {
      const bool dies = i == 2 || i == 3 || i == 8;
      EXPECT_EQ(answers[i].end == Answer::End::kDied, dies) << i;
      if (!dies) {
        EXPECT_EQ(answers[i].text, std::to_string(i));
      }
    }
    EXPECT_EQ(answers[2].text, "was killed by signal 9");
    EXPECT_EQ(answers[3].text, "exited with status 7");
  }
}

TEST(Processes, EndWhenTheirAnswersAreNoLongerWanted) {
  std::vector<size_t> taken;
  const auto take = [&taken](size_t number, const Answer&) {
    taken.push_back(number);
    if (number == 3) throw std::out_of_range("enough");
  };
  EXPECT_THROW(run_in_processes(1000000, 2, slow_at_first, in_order(take)), std::out_of_range);
  EXPECT_EQ(taken, (std::vector<size_t>{0, 1, 2, 3}));
}

}  // namespace processes_test
}  // namespace shflsim::sweep
