// SPDX-License-Identifier: Apache-2.0
#include "report/compare/choice.h"

#include <gtest/gtest.h>

#include <cmath>

namespace shflsim::report {
namespace choice_test {

using Lines = std::vector<std::string>;

TEST(Choice, NamesTheFastestDesignItsTiesAndACheaperOneCloseBy) {
  const std::vector<Candidate> candidates = {
      {"crossbar", 1000, 400}, {"omega", 1000, 500}, {"banked", 1040, 100}, {"ring", 1051, 10},
      {"benes", 1000, 600},    {"bus", 1000, 700},   {"quad", 1000, 800}};
  EXPECT_EQ(choice_lines(candidates, "cell_area", "sum"),
            (Lines{"fastest: crossbar: 1000 cycles (sum), cell_area 400",
                   "as fast: omega; benes; bus; and 1 more",
                   "cheaper: banked: 1040 cycles (+4.0%), cell_area 100 (-75.0%)"}));
}

TEST(Choice, TakesTheCheapestOfTheFastestAndNotTheFirstByName) {
  const std::vector<Candidate> candidates = {{"a", 10, 9}, {"b", 10, 7}, {"c", 10, 7}};
  EXPECT_EQ(fastest_of(candidates), 1u);
  EXPECT_EQ(cheapest_close_by(candidates), 1u);
  EXPECT_EQ(choice_lines(candidates, "mux2", ""),
            (Lines{"fastest: b: 10 cycles, mux2 7", "as fast: a; c",
                   "cheaper: none within 5% of its cycles"}));
}

TEST(Choice, AnUnknownPriceIsNoLowOne) {
  const std::vector<Candidate> candidates = {{"a", 10, NAN}, {"b", 10, 7}, {"c", 10.2, NAN}};
  EXPECT_EQ(fastest_of(candidates), 1u);
  EXPECT_EQ(cheapest_close_by(candidates), 1u);
  const std::vector<Candidate> borrowed = {{"a", 10, 9}, {"shared_memory", 10, 0}};
  EXPECT_EQ(fastest_of(borrowed), 0u);
  EXPECT_EQ(cheapest_close_by(borrowed), 0u);
  const std::vector<Candidate> unknown = {{"a", 10, NAN}, {"b", 11, 7}};
  EXPECT_EQ(choice_lines(unknown, "cell_area", "").front(),
            "fastest: a: 10 cycles, cell_area unknown");
}

TEST(Choice, OneDesignIsNone) { EXPECT_TRUE(choice_lines({{"a", 10, 1}}, "mux2", "").empty()); }

}  // namespace choice_test
}  // namespace shflsim::report
