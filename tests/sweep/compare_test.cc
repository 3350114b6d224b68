// SPDX-License-Identifier: Apache-2.0
#include "sweep/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "isa/base/input_error.h"
#include "model/run.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

namespace shflsim::sweep {
namespace compare_test {

using namespace report;

using Json = nlohmann::ordered_json;

Design design(const std::string& network) {
  Design design{network, {}};
  design.layers.add_file("gm107");
  design.layers.add_setting("shuffle.depth=0");
  design.layers.add_setting("shuffle.network=" + network);
  return design;
}

Comparison compared(const std::vector<std::string>& names, const std::vector<std::string>& networks,
                    unsigned jobs = 2) {
  std::vector<Workload> workloads;
  for (const std::string& name : names) workloads.push_back({name, test::suite_trace(name)});
  std::vector<Design> designs;
  for (const std::string& network : networks) designs.push_back(design(network));
  return compare(std::move(workloads), std::move(designs), jobs);
}

Value point(const PointRow& row, const std::string& key) {
  for (const Field<PointRow>& column : point_columns()) {
    if (column.key == key) return column.get(row);
  }
  throw std::out_of_range(key);
}

uint64_t passes_of(const Comparison& comparison, size_t workload, size_t number) {
  return std::get<uint64_t>(point({comparison, workload, number}, "passes"));
}

TEST(Compare, CountsThePassesOfEachNetwork) {
  // docs/sources.md, "Workloads": reduce BFLY, without the bypass the same.
  const Comparison comparison = compared({"reduce_butterfly"}, {"crossbar", "banked", "rotator"});
  EXPECT_EQ(passes_of(comparison, 0, 0), 5);
  EXPECT_EQ(passes_of(comparison, 0, 1), 20);
  EXPECT_EQ(passes_of(comparison, 0, 2), 9);
  for (size_t number = 0; number < 3; ++number) {
    EXPECT_EQ(comparison.ports[0][number].passes, passes_of(comparison, 0, number));
  }
}

TEST(Compare, CountsTheHardwareOfAllUnits) {
  Design shared = design("crossbar");
  Design own = design("crossbar");
  for (const char* setting : {"shuffle.shares_pipe=0", "shuffle.cluster=1"}) {
    own.layers.add_setting(setting);
  }
  std::vector<Workload> workloads;
  workloads.push_back({"stencil_3", test::suite_trace("stencil_3")});
  std::vector<size_t> counts;
  const Comparison comparison =
      compare(std::move(workloads), {shared, own}, 1, [&counts](size_t done, size_t all) {
        counts.push_back(done);
        EXPECT_EQ(all, 2u);
      });
  EXPECT_EQ(counts, (std::vector<size_t>{1, 2}));
  for (const Field<DesignRow>& column : design_columns()) {
    if (column.key != "mux2" && column.key != "wire_tracks") continue;
    EXPECT_EQ(4 * std::get<uint64_t>(column.get({comparison, 0})),
              std::get<uint64_t>(column.get({comparison, 1})));
  }
}

TEST(Compare, SaysThatThereIsNoDifference) {
  const Comparison comparison = compared({"reduce_butterfly"}, {"crossbar", "omega"});
  EXPECT_TRUE(equals_first({comparison, 0, 1}));
  std::ostringstream out;
  write_comparison(out, comparison, {});
  EXPECT_NE(out.str().find("no difference, in cycles, passes or any instruction's stalls: omega"),
            std::string::npos);
}

TEST(Compare, NamesTheInstructionThatLosesMostAndWhy) {
  const Comparison comparison = compared({"reduce_butterfly"}, {"crossbar", "ring"});
  EXPECT_FALSE(equals_first({comparison, 0, 1}));
  const std::vector<LineDifference> lines = line_differences({comparison, 0, 1});
  ASSERT_FALSE(lines.empty());
  // The consumer of the exchange at distance 16 waits for 15 passes more.
  EXPECT_EQ(comparison.workloads[0].trace.code.lines[lines[0].index].text, "IADD R1, R1, R0");
  EXPECT_EQ(lines[0].index, 1u);
  EXPECT_EQ(lines[0].state, model::WarpState::kShortScoreboard);
  EXPECT_EQ(lines[0].warp_cycles, 15);
}

TEST(Compare, DoesNotDependOnTheNumberOfJobs) {
  const std::vector<std::string> names = {"scan_inclusive", "block_reduce"};
  const std::vector<std::string> networks = {"crossbar", "banked", "ring"};
  const std::string one = comparison_json(compared(names, networks, 1));
  EXPECT_EQ(one, comparison_json(compared(names, networks, 5)));
}

TEST(Compare, MarksDominatedDesigns) {
  Comparison comparison =
      compared({"reduce_butterfly"}, {"crossbar", "omega", "rotator", "banked"});
  pareto("cycles,mux2", &comparison);
  // omega is as fast as the crossbar with a sixth of its multiplexers; the rotator is slower.
  EXPECT_EQ(comparison.dominated_by, (std::vector<std::string>{"omega", "", "omega", "omega"}));
  EXPECT_THROW(pareto("cycles", &comparison), InputError);
  EXPECT_THROW(pareto("cycles,mux", &comparison), InputError);
}

TEST(Compare, SortsTheDesignsBehindTheFirst) {
  Comparison comparison =
      compared({"reduce_butterfly"}, {"crossbar", "ring", "omega", "rotator", "banked"});
  const auto names = [&comparison] {
    std::vector<std::string> all;
    for (size_t number = 0; number < comparison.designs.size(); ++number) {
      all.push_back(comparison.designs[number].name);
      EXPECT_EQ(comparison.costs[number].network, all.back());
      EXPECT_EQ(comparison.machines[number].overrides.back(), "shuffle.network=" + all.back());
      EXPECT_EQ(comparison.ports[0][number].passes, passes_of(comparison, 0, number));
    }
    return all;
  };
  sort_designs("passes", &comparison);
  EXPECT_EQ(names(), (std::vector<std::string>{"crossbar", "omega", "rotator", "banked", "ring"}));
  sort_designs("speedup", &comparison);
  EXPECT_EQ(names()[4], "ring");
  EXPECT_THROW(sort_designs("passe", &comparison), InputError);
}

TEST(Compare, NamesEqualDesignsInTheRow) {
  const Comparison comparison = compared({"reduce_butterfly"}, {"crossbar", "omega", "ring"});
  std::ostringstream out;
  write_comparison(out, comparison, {});
  EXPECT_NE(out.str().find(" as omega\n"), std::string::npos) << out.str();
  for (const Field<DesignRow>& column : design_columns()) {
    if (column.key != "equal_to") continue;
    EXPECT_EQ(std::get<std::string>(column.get({comparison, 0})), "");
    EXPECT_EQ(std::get<std::string>(column.get({comparison, 1})), "crossbar");
    EXPECT_EQ(std::get<std::string>(column.get({comparison, 2})), "");
  }
}

TEST(Compare, U2aSaysThatLevelsAreNotTimed) {
  const auto text = [](const std::vector<std::string>& networks) {
    std::ostringstream out;
    write_comparison(out, compared({"stencil_3"}, networks), {});
    return out.str();
  };
  EXPECT_NE(text({"crossbar", "benes_copy"}).find("levels are not timed"), std::string::npos);
  EXPECT_EQ(text({"crossbar"}).find("levels are not timed"), std::string::npos);
}

TEST(Compare, TimesTheDepthOfANetworkByDefault) {
  Design flat = design("benes_copy");
  Design deep{"deep", {}};
  deep.layers.add_file("gm107");
  deep.layers.add_setting("shuffle.network=benes_copy");
  std::vector<Workload> workloads;
  workloads.push_back({"stencil_3", test::suite_trace("stencil_3")});
  const Comparison comparison = compare(std::move(workloads), {flat, deep}, 1);
  EXPECT_EQ(comparison.costs[0].latency, 24u);
  EXPECT_EQ(comparison.costs[1].latency, 26u);
  EXPECT_EQ(comparison.costs[1].latency_least, 25u);
  EXPECT_GT(comparison.points[0][1].cycles, comparison.points[0][0].cycles);
}

TEST(Compare, HasNoPriceForANetworkWithoutWiresOfItsOwn) {
  Comparison comparison = compared({"stencil_3"}, {"crossbar", "shared_memory"});
  for (const Field<DesignRow>& column : design_columns()) {
    const bool is_price = column.key == "mux2" || column.key == "cell_area" ||
                          column.key == "energy_nj" || column.key == "shfl_energy_pj" ||
                          column.key == "logic_delay";
    if (!is_price) continue;
    EXPECT_FALSE(is_empty(column.get({comparison, 0}))) << column.key;
    EXPECT_TRUE(is_empty(column.get({comparison, 1}))) << column.key;
  }
  pareto("cycles,mux2", &comparison);
  EXPECT_EQ(comparison.dominated_by[1], "(a figure is not known)");
}

TEST(Compare, U2dSetsProgramsSideBySide) {
  std::ostringstream out;
  write_programs(out, compared({"reduce_down", "reduce_butterfly"}, {"crossbar"}));
  const std::string text = out.str();
  EXPECT_EQ(text.rfind("1: reduce_down, grid 1, block 32\n2: reduce_butterfly, grid 1,", 0), 0u);
  EXPECT_NE(text.find("\n  passes "), std::string::npos) << text;
  EXPECT_NE(text.find(" 5      5 1.00 passes\n"), std::string::npos) << text;
}

TEST(Compare, WritesARowAPointAsCsv) {
  const std::string csv = comparison_csv(compared({"stencil_3"}, {"crossbar", "banked"}));
  const std::vector<std::string> lines = test::lines_of(csv);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].substr(0, 44), "workload,design,cycles,cycles_difference,spe");
  EXPECT_EQ(lines[1].substr(0, 19), "stencil_3,crossbar,");
  EXPECT_EQ(lines[2].substr(0, 17), "stencil_3,banked,");
}

TEST(Compare, GivesTheDistributionOfPassesAndThePortsThatLanesWaitedFor) {
  const Comparison comparison = compared({"segmented_widths"}, {"crossbar", "banked"});
  const PortUseReport& use = comparison.ports[0][1];
  ASSERT_EQ(use.shuffles.size(), 17u);
  // IDX 1 in segments of 2 reads lanes 1, 3, ... 31: four of each odd bank, for 8 lanes.
  EXPECT_EQ(distribution_text(use.shuffles[0]), "4: 1");
  EXPECT_EQ(collisions_text(use.shuffles[0], use.names, 2), "bank 1 (12), bank 3 (12), 2 more");
  EXPECT_EQ(use.carried.size(), 8u);
  EXPECT_EQ(distribution_text(comparison.ports[0][0].shuffles[0]), "1: 1");
  EXPECT_TRUE(comparison.ports[0][0].shuffles[0].port_conflicts.empty());
  EXPECT_EQ(utilization_picture({{}, 4, {"bank 0", "bank 1", "bank 2"}, {0, 2, 4}}),
            "    bank 0  .5#\n");
}

/// A point's totals equal those that `run` reports for the same trace on the same machine.
TEST(Compare, AgreesWithARunOfEachWorkload) {
  const Comparison comparison = compared(test::suite_names(), {"crossbar", "banked"});
  for (size_t number = 0; number < comparison.workloads.size(); ++number) {
    const traces::Trace trace = test::suite_trace(test::suite_names()[number]);
    const model::RunResult result = model::run(trace, comparison.designs[1].layers);
    const PointRow row{comparison, number, 1};
    for (const auto& total : totals()) {
      const Value expected = total.get({trace, result});
      if (is_empty(expected)) continue;  // 0 if run has no figure, as without a SHFL
      EXPECT_EQ(point(row, total.key), expected)
          << comparison.workloads[number].name << ": " << total.key;
    }
  }
}

/// The documented comparison: the suite on every network.
TEST(Compare, RunsTheSuiteOnEveryNetwork) {
  const std::vector<std::string>& suite = test::suite_names();
  std::vector<std::string> networks = model::ShuffleNetworks::names();
  std::swap(networks.front(), *std::find(networks.begin(), networks.end(), "crossbar"));
  const Comparison comparison = compared(suite, networks);
  for (size_t launch = 0; launch < suite.size(); ++launch) {
    for (size_t number = 0; number < networks.size(); ++number) {
      EXPECT_EQ(comparison.ports[launch][number].passes, passes_of(comparison, launch, number))
          << suite[launch] << " on " << networks[number];
      EXPECT_GE(comparison.points[launch][number].cycles, comparison.points[launch][0].cycles)
          << suite[launch] << " on " << networks[number];
    }
  }
}

}  // namespace compare_test
}  // namespace shflsim::sweep
