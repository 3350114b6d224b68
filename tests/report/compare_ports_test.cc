// SPDX-License-Identifier: Apache-2.0
#include "report/compare/compare_ports.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/run.h"
#include "report/run/compare_design.h"
#include "tests/support/layers.h"
#include "tests/support/suite.h"

namespace shflsim::report {
namespace compare_ports_test {

/// A network of the shipped machine under other settings.
std::unique_ptr<model::ShuffleNetwork> network_with(const std::vector<std::string>& settings) {
  const model::ConfigLayers layers = test::layers_of("gm107", settings);
  return network_choice(layers)->make();
}

/// docs/sources.md, "Workloads": passes per warp; the self-bypass is on, except for half_outputs,
/// whose column there is without it (tests/model/shuffle/tables_test.cc says why).
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
    const traces::Trace trace = test::suite_trace(name);
    for (size_t column = 0; column < columns.size(); ++column) {
      std::vector<std::string> settings = {"shuffle.self_bypass=1"};
      settings.insert(settings.end(), columns[column].begin(), columns[column].end());
      EXPECT_EQ(port_use(trace, *network_with(settings)).passes, passes[column])
          << name << ", " << columns[column].front();
    }
  }
}

/// The lanes that wait for ports according to --ports add up to the totals' port conflicts.
TEST(PortUse, U3_9PortsAreWaitedForAsOftenAsThereArePortConflicts) {
  for (const std::string& name : model::ShuffleNetworks::names()) {
    const auto network = network_with({"shuffle.network=" + name});
    for (const char* kernel : {"bitonic_sort", "random_gather", "stencil_9"}) {
      const traces::Trace trace = test::suite_trace(kernel);
      uint64_t of_ports = 0;
      for (const PortUseReport::Shuffle& shuffle : port_use(trace, *network).shuffles) {
        for (const auto& [port, lanes] : shuffle.port_conflicts) of_ports += lanes;
      }
      const model::ConfigLayers layers = test::layers_of("gm107", {"shuffle.network=" + name});
      const model::RunResult result = model::run(trace, layers);
      uint64_t of_run = 0;
      for (size_t line = 0; line < trace.code.lines.size(); ++line) {
        const uint64_t count = result.count("port_conflicts", line);
        if (count != model::StatColumn::kNone) of_run += count;
      }
      EXPECT_EQ(of_ports, of_run) << kernel << " on " << name;
    }
  }
}

}  // namespace compare_ports_test
}  // namespace shflsim::report
