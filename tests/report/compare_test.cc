// SPDX-License-Identifier: Apache-2.0
#include "report/compare.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "isa/input_error.h"
#include "isa/machine/machine.h"
#include "isa/reader/source.h"
#include "report/compare_design.h"
#include "report/compare_points.h"
#include "tests/support/files.h"
#include "traces/recorder.h"

namespace shflsim::report {
namespace {

using Json = nlohmann::ordered_json;

/// One warp; register Rvalue holds 7 times the lane, argument 0 is a counter.
Workload workload(const std::string& name) {
  const std::string file = test::source_path("traces/suite/" + name + ".sass");
  const isa::Program program = isa::find_kernel(*isa::open_source(file), "", file);
  isa::DeviceMemory memory;
  isa::Launch launch;
  launch.block.x = isa::kLanes;
  const uint64_t counter = memory.allocate(std::vector<uint8_t>(4));
  launch.parameters.resize(sizeof counter);
  std::memcpy(launch.parameters.data(), &counter, sizeof counter);
  if (program.symbols.count("Rvalue") != 0) {
    isa::InitialRegister value{program.symbols.at("Rvalue"), {}};
    for (uint32_t lane = 0; lane < isa::kLanes; ++lane) value.words.push_back(7 * lane);
    launch.registers.push_back(value);
  }
  isa::Outcome outcome;
  return {name, traces::record(program, launch, memory, {}, &outcome)};
}

Design design(const std::string& network) {
  Design design{network, {}};
  design.layers.add_file("gm107");
  design.layers.add_setting("shuffle.network=" + network);
  return design;
}

Comparison compared(const std::vector<std::string>& names, const std::vector<std::string>& networks,
                    unsigned jobs = 2) {
  std::vector<Workload> workloads;
  for (const std::string& name : names) workloads.push_back(workload(name));
  std::vector<Design> designs;
  for (const std::string& network : networks) designs.push_back(design(network));
  return compare(std::move(workloads), std::move(designs), jobs);
}

int64_t passes_of(const Comparison& comparison, size_t point, size_t number) {
  for (const Column<PointRow>& column : point_columns()) {
    if (column.key == "passes") return std::get<int64_t>(column.get({comparison, point, number}));
  }
  return -1;
}

TEST(Compare, CountsThePassesOfEachNetwork) {
  // shuffle_units.md 5.1: reduce BFLY, without the bypass the same.
  const Comparison comparison = compared({"reduce_butterfly"}, {"crossbar", "banked", "rotator"});
  EXPECT_EQ(passes_of(comparison, 0, 0), 5);
  EXPECT_EQ(passes_of(comparison, 0, 1), 20);
  EXPECT_EQ(passes_of(comparison, 0, 2), 9);
  for (size_t number = 0; number < 3; ++number) {
    EXPECT_EQ(static_cast<int64_t>(comparison.ports[0][number].passes),
              passes_of(comparison, 0, number));
  }
}

/// A network of the shipped machine under other settings.
std::unique_ptr<model::ShuffleNetwork> network_with(const std::vector<std::string>& settings) {
  model::ConfigLayers layers;
  layers.add_file("gm107");
  for (const std::string& setting : settings) layers.add_setting(setting);
  return network_choice(layers)->make();
}

/// shuffle_units.md 5.1: passes a warp; the self-bypass is on, except for half_outputs, whose
/// column there is that without it (tests/model/shuffle_tables_test.cc says why).
TEST(PortUse, AgreesWithTheTabledPassesOfEachWorkload) {
  const std::vector<std::vector<std::string>> columns = {
      {"shuffle.network=crossbar"},
      {"shuffle.network=half_outputs", "shuffle.self_bypass=0"},
      {"shuffle.network=half_inputs"},
      {"shuffle.network=banked"},
      {"shuffle.network=banked", "shuffle.banked.interleave=high"},
      {"shuffle.network=banked", "shuffle.banked.banks=16"},
      {"shuffle.network=benes"},
      {"shuffle.network=omega"},
      {"shuffle.network=rotator"},
      {"shuffle.network=xor"},
      {"shuffle.network=hierarchical"},
      {"shuffle.network=hierarchical", "shuffle.hierarchical.group=4"},
      {"shuffle.network=ring"},
  };
  const std::map<std::string, std::vector<uint64_t>> rows = {
      {"reduce_butterfly", {5, 10, 10, 20, 20, 10, 5, 5, 9, 5, 5, 5, 31}},
      {"reduce_down", {5, 10, 9, 17, 20, 9, 5, 5, 5, 15, 5, 5, 31}},
      {"scan_inclusive", {5, 10, 9, 17, 20, 9, 5, 5, 5, 15, 5, 5, 31}},
      {"scan_exclusive", {7, 14, 12, 22, 25, 12, 37, 7, 37, 51, 7, 7, 48}},
      {"bitonic_sort", {15, 30, 30, 60, 60, 30, 15, 15, 29, 15, 15, 15, 57}},
      {"transpose_32x32", {80, 160, 160, 320, 320, 160, 80, 80, 144, 80, 80, 80, 496}},
      {"stencil_3", {2, 4, 4, 8, 8, 4, 2, 2, 2, 10, 2, 2, 2}},
      {"stencil_9", {8, 16, 16, 32, 32, 16, 8, 8, 8, 38, 8, 8, 20}},
      {"quad_derivatives", {2, 4, 4, 8, 8, 4, 2, 2, 4, 2, 2, 2, 3}},
  };
  for (const auto& [name, passes] : rows) {
    const Workload launch = workload(name);
    for (size_t column = 0; column < columns.size(); ++column) {
      std::vector<std::string> settings = {"shuffle.self_bypass=1"};
      settings.insert(settings.end(), columns[column].begin(), columns[column].end());
      EXPECT_EQ(port_use(launch.trace, *network_with(settings)).passes, passes[column])
          << name << ", " << columns[column].front();
    }
  }
}

TEST(Compare, CountsTheHardwareOfAllUnits) {
  Design shared = design("crossbar");
  Design own = design("crossbar");
  for (const char* setting : {"shuffle.shares_pipe=0", "shuffle.cluster=1"}) {
    own.layers.add_setting(setting);
  }
  std::vector<Workload> workloads;
  workloads.push_back(workload("stencil_3"));
  const Comparison comparison = compare(std::move(workloads), {shared, own}, 1);
  for (const Column<DesignRow>& column : design_columns()) {
    if (column.key != "mux2" && column.key != "wire_tracks") continue;
    EXPECT_EQ(4 * std::get<int64_t>(column.get({comparison, 0})),
              std::get<int64_t>(column.get({comparison, 1})));
  }
}

TEST(Compare, SaysThatThereIsNoDifference) {
  const Comparison comparison = compared({"reduce_butterfly"}, {"crossbar", "omega"});
  EXPECT_TRUE(equals_first({comparison, 0, 1}));
  std::ostringstream out;
  write_comparison(out, comparison, 1, false);
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
  // omega is as fast as the crossbar with a sixth of the multiplexers, the rotator slower.
  EXPECT_EQ(comparison.dominated_by, (std::vector<std::string>{"omega", "", "omega", "omega"}));
  EXPECT_THROW(pareto("cycles", &comparison), InputError);
  EXPECT_THROW(pareto("cycles,mux", &comparison), InputError);
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
  EXPECT_EQ(collisions_text(use.shuffles[0], use.names, 2), "bank 1 (6), bank 3 (6), 2 more");
  EXPECT_EQ(use.carried.size(), 8u);
  EXPECT_EQ(distribution_text(comparison.ports[0][0].shuffles[0]), "1: 1");
  EXPECT_TRUE(comparison.ports[0][0].shuffles[0].lanes_waited.empty());
  EXPECT_EQ(utilization_picture({{}, 4, {"bank 0", "bank 1", "bank 2"}, {0, 2, 4}}),
            "    bank 0  .5#\n");
}

TEST(RunInProcesses, KeepsTheOrderAndHandsOnErrors) {
  std::vector<std::function<std::string()>> tasks;
  for (int i = 0; i < 7; ++i) {
    tasks.emplace_back([i] { return std::string(static_cast<size_t>(i) * 50000, 'x'); });
  }
  const std::vector<std::string> results = run_in_processes(tasks, 3);
  for (size_t i = 0; i < 7; ++i) EXPECT_EQ(results[i].size(), i * 50000);
  tasks[4] = []() -> std::string { throw InputError("no such key"); };
  EXPECT_THROW(run_in_processes(tasks, 3), InputError);
  tasks[4] = []() -> std::string { _exit(3); };
  EXPECT_THROW(run_in_processes(tasks, 3), std::runtime_error);
}

/// The documented comparison: the suite on every network.
TEST(Compare, RunsTheSuiteOnEveryNetwork) {
  const std::vector<std::string> suite = {
      "atomic_aggregate", "bitonic_sort",     "block_reduce",   "block_scan",       "fft_32",
      "layernorm_128",    "quad_derivatives", "random_gather",  "reduce_butterfly", "reduce_down",
      "scan_exclusive",   "scan_inclusive",   "scan_reverse",   "segmented_widths", "softmax_32",
      "stencil_3",        "stencil_9",        "transpose_32x32"};
  std::vector<std::string> networks = model::ShuffleNetworks::names();
  std::swap(networks.front(), *std::find(networks.begin(), networks.end(), "crossbar"));
  const Comparison comparison = compared(suite, networks);
  for (size_t point = 0; point < suite.size(); ++point) {
    for (size_t number = 0; number < networks.size(); ++number) {
      EXPECT_EQ(static_cast<int64_t>(comparison.ports[point][number].passes),
                passes_of(comparison, point, number))
          << suite[point] << " on " << networks[number];
      EXPECT_GE(comparison.points[point][number].cycles, comparison.points[point][0].cycles)
          << suite[point] << " on " << networks[number];
    }
  }
}

}  // namespace
}  // namespace shflsim::report
