// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <sstream>

#include "isa/base/input_error.h"
#include "report/compare/point_table.h"

namespace shflsim::report {
namespace point_views_test {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

std::string text(const char* word) { return word; }

std::vector<Value> row(const char* kernel, uint64_t lanes, const char* network, uint64_t cycles,
                       uint64_t mux2, const char* state = "done") {
  return {text("f"),     text(kernel),  text("gm107"), lanes,
          text(network), Value(cycles), mux2,          text(state)};
}

/// Two kernels on two widths of two networks; the second network takes twice as long.
PointTable table() {
  PointTable all;
  all.axes = {"shuffle.lanes", "shuffle.network"};
  all.metrics = {"cycles", "mux2"};
  all.keys = {"input",           "kernel", "config", "shuffle.lanes",
              "shuffle.network", "cycles", "mux2",   "state"};
  all.rows = {row("a", 8, "crossbar", 100, 90),  row("a", 8, "ring", 200, 10),
              row("a", 16, "crossbar", 50, 90),  row("a", 16, "ring", 100, 10),
              row("b", 8, "crossbar", 400, 90),  row("b", 8, "ring", 800, 10),
              row("b", 16, "crossbar", 100, 90), row("b", 16, "ring", 200, 10)};
  return all;
}

double real(const Value& value) { return number_of(value); }

TEST(PointViews, BestNamesThePointOfEachKernelAndTheDesignOfAll) {
  const Sheet best = best_points(table(), "cycles");
  EXPECT_THAT(best.keys, ElementsAre("input", "kernel", "cycles", "config", "shuffle.lanes",
                                     "shuffle.network", "as_good"));
  ASSERT_EQ(best.rows.size(), 3u);
  EXPECT_EQ(best.rows[0][2], Value(uint64_t{50}));
  EXPECT_EQ(best.rows[0][4], Value(uint64_t{16}));
  EXPECT_EQ(best.rows[1][5], Value(text("crossbar")));
  EXPECT_NEAR(real(best.rows[2][2]), std::sqrt(50. * 100), 1e-9);
}

TEST(PointViews, BestLeavesDesignsOutThatFailedSomewhere) {
  PointTable some = table();
  some.rows[2] = row("a", 16, "crossbar", 0, 0, "timeout");
  const Sheet best = best_points(done_points(some), "cycles");
  EXPECT_EQ(best.rows[0][2], Value(uint64_t{100}));
  EXPECT_EQ(best.rows[2][5], Value(text("ring")));
}

TEST(PointViews, BestOfIpcIsTheHighest) {
  PointTable some = table();
  some.metrics[0] = some.keys[5] = "ipc";
  EXPECT_EQ(best_points(some, "ipc").rows[0][2], Value(uint64_t{200}));
}

TEST(PointViews, ParetoKeepsWhatNothingBeats) {
  const Sheet pareto = pareto_points(table(), "cycles,mux2");
  ASSERT_EQ(pareto.rows.size(), 2u);
  EXPECT_THAT(pareto.keys,
              ElementsAre("cycles", "mux2", "config", "shuffle.lanes", "shuffle.network"));
  EXPECT_EQ(pareto.rows[0][4], Value(text("crossbar")));
  EXPECT_EQ(pareto.rows[1][4], Value(text("ring")));
  EXPECT_EQ(pareto.rows[1][3], Value(uint64_t{16}));
}

TEST(PointViews, C7BestCountsThoseThatAreAsGood) {
  PointTable some = table();
  for (auto& each : some.rows) each[5] = uint64_t{7};
  const Sheet best = best_points(some, "cycles");
  EXPECT_EQ(best.keys.back(), "as_good");
  for (const auto& each : best.rows) EXPECT_EQ(each.back(), Value(uint64_t{3}));
  EXPECT_EQ(best.rows[0][4], Value(uint64_t{8})) << "the first of the grid";
}

TEST(PointViews, C6AnEmptyFrontSaysWhichPointsAreMissing) {
  PointTable some = table();
  for (size_t i = 4; i < some.rows.size(); ++i) some.rows[i][2] = text("gh100");
  const Sheet pareto = pareto_points(some, "cycles,mux2");
  EXPECT_TRUE(pareto.rows.empty());
  EXPECT_THAT(pareto.remarks,
              ElementsAre("8 designs left out, not done on all 2 launches: 4 on gh100, 4 on gm107",
                          "no design is done on all 2 launches; --where chooses launches"));
}

TEST(PointViews, SayWhichMeanTheyTake) {
  EXPECT_THAT(pareto_points(table(), "cycles,mux2").remarks,
              ElementsAre("cycles: geometric mean over 2 launches",
                          "mux2: geometric mean over 2 launches"));
  PointTable some = table();
  some.rows[0][5] = uint64_t{0};
  EXPECT_THAT(best_points(some, "cycles").remarks,
              ElementsAre("cycles: arithmetic mean over 2 launches"));
}

TEST(PointViews, AMeanOverSeveralChipsIsTold) {
  PointTable some = table();
  EXPECT_TRUE(pivot_points(some, "kernel,shuffle.lanes,cycles").remarks.empty());
  for (size_t i = 4; i < some.rows.size(); ++i) some.rows[i][2] = text("gh100");
  EXPECT_THAT(pivot_points(some, "shuffle.network,shuffle.lanes,cycles").remarks,
              ElementsAre("cycles: means of points on gh100, gm107"));
}

TEST(PointViews, AVerdictNamesDesignPriceTiesAndWhatItDependsOn) {
  EXPECT_THAT(verdict_on(table()),
              ElementsAre("fastest: shuffle.lanes=16, shuffle.network=crossbar: 70.7 cycles "
                          "(geometric mean over 2 launches), mux2 90",
                          "cheaper: none within 5% of its cycles",
                          "depends on: shuffle.network, up to 2.000 times the cycles of crossbar; "
                          "shuffle.lanes, up to 2.828 times the cycles of 16"));
}

TEST(PointViews, PivotHoldsMeans) {
  const Sheet pivot = pivot_points(table(), "shuffle.network,shuffle.lanes,cycles");
  EXPECT_THAT(pivot.keys, ElementsAre("shuffle.network", "8", "16"));
  ASSERT_EQ(pivot.rows.size(), 2u);
  EXPECT_NEAR(real(pivot.rows[0][1]), 200, 1e-9);
  EXPECT_NEAR(real(pivot.rows[1][2]), std::sqrt(100. * 200), 1e-9);
}

TEST(PointViews, AMeanWithAZeroIsArithmetic) {
  PointTable some = table();
  some.rows[0] = row("a", 8, "crossbar", 0, 90);
  EXPECT_NEAR(real(pivot_points(some, "shuffle.network,shuffle.lanes,cycles").rows[0][1]), 200,
              1e-9);
}

TEST(PointViews, SensitivityComparesWithTheFirstValue) {
  const Sheet sensitivity = sensitive_axes(table(), "cycles");
  ASSERT_EQ(sensitivity.rows.size(), 4u);
  EXPECT_EQ(sensitivity.rows[0][0], Value(text("shuffle.network")));
  EXPECT_NEAR(real(sensitivity.rows[1][2]), 2, 1e-9);
  EXPECT_EQ(sensitivity.rows[1][3], Value(uint64_t{4}));
  EXPECT_NEAR(real(sensitivity.rows[3][2]), std::sqrt(0.5 * 0.25), 1e-9);
}

TEST(PointViews, NameAxesThatChangeNothing) {
  EXPECT_TRUE(axes_without_effect(table()).empty());
  PointTable same = table();
  for (auto& each : same.rows) each[5] = uint64_t{7};
  EXPECT_THAT(axes_without_effect(same), ElementsAre("shuffle.lanes", "shuffle.network"));
  same.rows[7][5] = uint64_t{8};
  EXPECT_TRUE(axes_without_effect(same).empty());
  same.rows.resize(1);  // nothing to compare with
  EXPECT_TRUE(axes_without_effect(same).empty());
}

TEST(PointViews, SayWhichKeysThereAre) {
  const auto error_of = [](auto view, const std::string& words) {
    try {
      view(table(), words);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(error_of(best_points, "cycle"), "--best: no metric 'cycle'; did you mean 'cycles'?");
  EXPECT_THAT(error_of(pareto_points, "cycles"), HasSubstr("expected two metrics with a comma"));
  EXPECT_THAT(error_of(pivot_points, "kernel,cycles"), HasSubstr("expected ROWS,COLUMNS,METRIC"));
  EXPECT_THAT(error_of(pivot_points, "kernel,mux2,cycles"),
              HasSubstr("--pivot: no input, config or axis 'mux2'"));
  EXPECT_THAT(error_of(sensitive_axes, "lanes"), HasSubstr("--sensitivity: no metric 'lanes'"));
}

TEST(PointViews, AreAlsoForReading) {
  std::ostringstream out;
  write_sheet(out, pareto_points(table(), "cycles,mux2"));
  EXPECT_EQ(out.str(),
            "  cycles mux2 config shuffle.lanes shuffle.network\n"
            "    70.7 90.0 gm107             16 crossbar\n"
            "   141.4 10.0 gm107             16 ring\n");
  EXPECT_EQ(csv_of(document_of({{"a", "b"}, {{text("x,y"), Value()}}}, "points")),
            "a,b\n\"x,y\",\n");
}

}  // namespace point_views_test
}  // namespace shflsim::report
