// SPDX-License-Identifier: Apache-2.0
#include "report/run/columns.h"
#include "report/page/described_columns.h"
#include "report/run/occupancy.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "model/run.h"
#include "report/compare/compare.h"
#include "tests/report/sample_run.h"

namespace shflsim::report {
namespace columns_test {

class Columns : public ::testing::Test {
 protected:
  const traces::Trace trace_ = test::sample_trace();
  const model::RunResult result_ = test::sample_result();
  const report::Run run_{trace_, result_};

  Value at(const std::string& key, size_t index) const {
    for (const Field<InstructionRow>& column : instruction_columns()) {
      if (column.key == key) return column.get({run_, index});
    }
    throw std::out_of_range(key);
  }
  Value total(const std::string& key) const {
    for (const auto& field : totals()) {
      if (field.key == key) return field.get(run_);
    }
    throw std::out_of_range(key);
  }
  uint64_t sum(const std::string& key) const {
    uint64_t all = 0;
    for (size_t i = 0; i < result_.instructions.size(); ++i) {
      const Value value = at(key, i);
      if (!is_empty(value)) all += std::get<uint64_t>(value);
    }
    return all;
  }
};

constexpr size_t kS2r = 0, kShfl = 1, kFadd = 2, kSts = 3, kExit = 4, kNotReached = 5;

TEST_F(Columns, TotalsAreTheSumsOfTheRows) {
  EXPECT_EQ(total("warp_instructions"), Value(sum("issued")));
  EXPECT_EQ(total("warp_cycles"), Value(sum("warp_cycles")));
  for (const char* key : {"register_conflicts", "passes", "port_conflicts", "undefined_reads",
                          "shared_wavefronts", "shared_conflicts"}) {
    EXPECT_EQ(total(key), Value(sum(key))) << key;
  }
  EXPECT_EQ(total("passes"), Value(uint64_t{5}));
}

TEST_F(Columns, TheStallColumnsOfAllRowsAddUpToTheStates) {
  uint64_t all = 0;
  for (const model::WarpState state : all_states()) {
    const uint64_t column = sum(std::string("stall_") + model::warp_state_name(state));
    EXPECT_EQ(column, result_.states[static_cast<size_t>(state)]) << warp_state_name(state);
    all += column;
  }
  EXPECT_EQ(all, result_.warp_cycles);
}

TEST_F(Columns, DerivedTotalsFollowFromTheCounts) {
  EXPECT_EQ(total("ipc"), Value(10.0 / 25));
  EXPECT_EQ(total("issue_active"), Value(8.0 / (25 * 4)));
  EXPECT_EQ(total("cycles_per_issue"), Value(50.0 / 8));
}

TEST_F(Columns, WhatDoesNotApplyIsEmptyAndNotZero) {
  EXPECT_TRUE(is_empty(at("passes", kFadd)));
  EXPECT_TRUE(is_empty(at("undefined_reads", kS2r)));
  EXPECT_TRUE(is_empty(at("shared_wavefronts", kShfl)));
  EXPECT_TRUE(is_empty(at("register_conflicts", kSts)));
  EXPECT_TRUE(is_empty(at("latency_min", kExit)));
  EXPECT_TRUE(is_empty(at("latency_mean", kNotReached)));
  EXPECT_TRUE(is_empty(at("lanes", kNotReached)));
  EXPECT_TRUE(is_empty(at("top_stall", kNotReached)));
  EXPECT_EQ(at("passes", kNotReached), Value(uint64_t{0}));
}

std::string describe_columns() {
  std::string text = "\n";
  for (const DescribedColumn& each : described_columns())
    text += fmt::format("  {:<26} {:<28} {}\n", each.key, each.unit, each.help);
  return text;
}

TEST_F(Columns, EveryStatOfAUnitIsAColumnATotalAndListed) {
  const std::string listed = describe_columns();
  const auto has = [](const auto& fields, const std::string& key) {
    return std::any_of(fields.begin(), fields.end(),
                       [&key](const auto& field) { return field.key == key; });
  };
  EXPECT_GE(model::instruction_stats().size(), 6u);
  for (const model::Stat& stat : model::instruction_stats()) {
    EXPECT_TRUE(has(instruction_columns(), stat.key)) << stat.key;
    EXPECT_TRUE(has(totals(), stat.key)) << stat.key;
    EXPECT_TRUE(has(point_columns(), stat.key)) << stat.key;
    EXPECT_NE(listed.find(stat.help), std::string::npos) << stat.key;
  }
}

TEST_F(Columns, ATotalOfWhatNoInstructionHasIsEmpty) {
  traces::Trace only_exit = trace_;
  only_exit.code.lines = {trace_.code.lines[kExit]};
  model::RunResult result = result_;
  result.instructions = {result_.instructions[kExit]};
  for (const auto& field : totals()) {
    if (field.key == "passes") {
      EXPECT_TRUE(is_empty(field.get({only_exit, result})));
    }
  }
}

TEST_F(Columns, GivesAnInstructionsFigures) {
  EXPECT_EQ(at("pc", kShfl), Value("0x0010"));
  EXPECT_EQ(at("pc", kSts), Value("0x0028"));
  EXPECT_EQ(at("lanes", kShfl), Value(31.0));
  EXPECT_EQ(at("latency_min", kShfl), Value(uint64_t{4}));
  EXPECT_EQ(at("latency_mean", kShfl), Value(6.5));
  EXPECT_EQ(at("latency_max", kShfl), Value(uint64_t{9}));
  EXPECT_EQ(at("top_stall", kShfl), Value("short_scoreboard"));
  EXPECT_EQ(at("top_stall_share", kShfl), Value(18.0 / 21));
}

TEST_F(Columns, ARunOfNoCyclesHasNoRatios) {
  const model::RunResult nothing;
  for (const auto& field : totals()) {
    if (field.key == "ipc" || field.key == "issue_active" || field.key == "cycles_per_issue") {
      EXPECT_TRUE(is_empty(field.get({trace_, nothing}))) << field.key;
    }
  }
}

template <class Row>
void expect_documented(const Fields<Row>& fields, const std::string& text) {
  std::set<std::string> keys;
  for (const Field<Row>& field : fields) {
    EXPECT_TRUE(keys.insert(field.key).second) << field.key << " is declared twice";
    EXPECT_NE(text.find("\n  " + field.key + " "), std::string::npos) << field.key;
    ASSERT_FALSE(field.help.empty()) << field.key;
    EXPECT_EQ(field.help.back(), '.') << field.key;
    EXPECT_NE(text.find(" " + field.help + "\n"), std::string::npos) << field.key;
  }
}

TEST(DescribeColumns, DocumentsEveryKeyOfEveryList) {
  const std::string text = describe_columns();
  expect_documented(header(), text);
  expect_documented(launch(), text);
  expect_documented(occupancy(), text);
  expect_documented(totals(), text);
  expect_documented(state_columns(), text);
  expect_documented(unit_columns(), text);
  expect_documented(instruction_columns(), text);
  expect_documented(warp_columns(), text);
  expect_documented(finding_columns(), text);
  expect_documented(config_columns(), text);
  expect_documented(design_columns(), text);
  expect_documented(point_columns(), text);
}

TEST(TopStall, IsTheLongestStateButSelectedAndTheEarlierOfEqualOnes) {
  model::StateCycles states{};
  EXPECT_EQ(top_stall(states), model::WarpState::kSelected);
  states[static_cast<size_t>(model::WarpState::kSelected)] = 9;
  EXPECT_EQ(top_stall(states), model::WarpState::kSelected);
  states[static_cast<size_t>(model::WarpState::kWait)] = 2;
  states[static_cast<size_t>(model::WarpState::kNotSelected)] = 2;
  EXPECT_EQ(top_stall(states), model::WarpState::kWait);
  states[static_cast<size_t>(model::WarpState::kNotSelected)] = 3;
  EXPECT_EQ(top_stall(states), model::WarpState::kNotSelected);
}

}  // namespace columns_test
}  // namespace shflsim::report
