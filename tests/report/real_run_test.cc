// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "model/run.h"
#include "report/run/report.h"
#include "tests/support/layers.h"
#include "tests/support/suite.h"

namespace shflsim::report {
namespace real_run_test {

using Json = nlohmann::ordered_json;

uint64_t sum_of_column(const Json& rows, const std::string& key) {
  uint64_t sum = 0;
  for (const Json& row : rows) {
    if (!row[key].is_null()) sum += row[key].get<uint64_t>();
  }
  return sum;
}

/// A kernel as compiled, timed on the shipped machine with a network that has conflicts.
class RealRun : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    trace_ = test::kernel_trace("kernels.sm50.sass", GetParam());
    const model::ConfigLayers layers = test::layers_of("gm107", {"shuffle.network=banked"});
    json_ = Json::parse(json_text(trace_, model::run(trace_, layers)));
  }

  traces::Trace trace_;
  Json json_;
};

TEST_P(RealRun, HasTotalsThatAreTheSumsOfItsRows) {
  const Json& totals = json_["totals"];
  const Json& rows = json_["instructions"];
  uint64_t executed = 0;
  for (const traces::WarpTrace& warp : trace_.warps) executed += warp.steps.size();
  EXPECT_EQ(totals["warp_instructions"], executed);
  EXPECT_EQ(sum_of_column(rows, "issued"), executed);
  EXPECT_EQ(totals["warp_cycles"], sum_of_column(rows, "warp_cycles"));
  EXPECT_EQ(totals["passes"].is_null(), GetParam() == "smem_shuffle") << "it has no SHFL";
  for (const char* key : {"register_conflicts", "passes", "port_conflicts", "undefined_reads",
                          "shared_wavefronts", "shared_conflicts"}) {
    EXPECT_EQ(totals[key].is_null() ? 0 : totals[key].get<uint64_t>(), sum_of_column(rows, key));
  }
}

TEST_P(RealRun, ChargesEveryWarpCycleToOneStateAndNoUnitBeyondItsCycles) {
  const Json& totals = json_["totals"];
  std::map<std::string, uint64_t> states;
  uint64_t resident = 0;
  for (const Json& state : json_["states"]) {
    const std::string name = state["state"];
    states[name] = state["cycles"];
    resident += states[name];
    EXPECT_EQ(states[name], sum_of_column(json_["instructions"], "stall_" + name)) << name;
  }
  EXPECT_EQ(resident, totals["warp_cycles"]);
  EXPECT_EQ(states.at("sleeping"), 0u);
  EXPECT_EQ(states.at("selected") + totals["dual_issued"].get<uint64_t>(),
            totals["warp_instructions"]);
  for (const Json& unit : json_["units"]) EXPECT_LE(unit["utilization"], 1.0) << unit["unit"];
}

// stencil7 has coefficients in constant memory, which the listing does not hold.
const std::string kKernels[] = {
    "reduce_xor",          "reduce_down",  "scan_inclusive",  "scan_exclusive", "scan_reverse",
    "scan_inclusive_pred", "broadcast",    "segments",        "index_dynamic",  "quad_derivatives",
    "block_reduce_min",    "bitonic_sort", "grid_stride_dot", "divergent_half", "smem_shuffle"};

INSTANTIATE_TEST_SUITE_P(Kernels, RealRun, ::testing::ValuesIn(kKernels),
                         [](const auto& test) { return test.param; });

}  // namespace real_run_test
}  // namespace shflsim::report
