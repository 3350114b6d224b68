// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/run/columns.h"
#include "report/run/report.h"
#include "tests/report/sample_run.h"

namespace shflsim::report {
namespace json_test {

using Json = nlohmann::ordered_json;

Json sample_json() { return Json::parse(json_text(test::sample_trace(), test::sample_result())); }

TEST(Json, HoldsTheSchemaAndItsParts) {
  const Json json = sample_json();
  EXPECT_EQ(json["schema"], "shflsim-run/2");
  EXPECT_EQ(json["version"], tool_version());
  EXPECT_EQ(json["kernel"], "sample");
  std::vector<std::string> parts;
  for (const auto& item : json.items()) parts.push_back(item.key());
  EXPECT_EQ(parts, (std::vector<std::string>{
                       "schema", "version", "kernel", "input", "arguments", "machine", "remarks",
                       "complete", "launch", "occupancy", "totals", "states", "units", "energy",
                       "instructions", "warps", "findings", "critical_path", "config"}));
}

TEST(Json, U2lSaysWhatItIsOfAndOnWhichMachine) {
  const Origin origin{"k.ptx", {"--reg R1=lane"}, "gm107", {"shuffle.network=banked"}};
  traces::Trace trace = test::sample_trace();
  trace.code.is_lowered = true;
  const Json json = Json::parse(json_text(trace, test::sample_result(), origin));
  EXPECT_EQ(json["input"], "k.ptx");
  EXPECT_EQ(json["arguments"], Json::parse(R"(["--reg R1=lane"])"));
  EXPECT_EQ(json["machine"], Json::parse(R"({"name": "gm107", "network": "banked",
    "overrides": ["shuffle.network=banked"], "values": 1, "assumed": 1, "assumed_in_use": 1,
    "measured": 0})"));
  EXPECT_EQ(json["remarks"],
            Json::parse(R"(["lowered from PTX by shflsim )" + std::string(tool_version()) +
                        R"(, not by ptxas: other instructions, other cycles"])"));
}

TEST(Json, U2lWritesAParametersNumberAsANumber) {
  model::RunResult result = test::sample_result();
  result.config.push_back({"shuffle.lanes", "64", "lanes", "a.cfg:1", "vendor: x", "", ""});
  const Json json = Json::parse(json_text(test::sample_trace(), result));
  EXPECT_EQ(json["config"][0]["value"], "banked");
  EXPECT_EQ(json["config"][1]["value"], 64);
}

TEST(Json, HoldsTheLaunchAndTheTotals) {
  const Json json = sample_json();
  EXPECT_EQ(json["launch"], Json::parse(R"({"blocks": 1, "threads_per_block": 64,
    "warps_per_block": 2, "shared_bytes": 256, "registers": 6})"));
  EXPECT_EQ(json["totals"]["cycles"], 25);
  EXPECT_EQ(json["totals"]["dual_issued"], 2);
  EXPECT_EQ(json["totals"]["ipc"], 0.4);
  EXPECT_EQ(json["totals"]["port_conflicts"], 12);
}

TEST(Json, HoldsTheOccupancyAndWhatLimitsIt) {
  const Json json = sample_json();
  EXPECT_EQ(json["occupancy"], Json::parse(R"({"max_warps": 64, "theoretical_active_warps": 2,
    "theoretical_occupancy": 0.03125, "achieved_active_warps": 2.0, "achieved_occupancy": 0.03125,
    "limited_by": ["launch"], "block_limit_registers": 128, "block_limit_shared_memory": 256,
    "block_limit_warps": 32, "block_limit_blocks": 32, "block_limit_barriers": null,
    "block_limit_launch": 1})"));
}

TEST(Json, NamesEachOfSeveralLimitsThatAreEqual) {
  model::RunResult result = test::sample_result();
  result.occupancy.limit(model::BlockLimit::kLaunch, 40);
  const Json json = Json::parse(json_text(test::sample_trace(), result));
  EXPECT_EQ(json["occupancy"]["limited_by"], Json::parse(R"(["warps", "blocks"])"));
  EXPECT_EQ(json["occupancy"]["theoretical_occupancy"], 1.0);
}

TEST(Json, HasEveryColumnInEveryRowAndNullWhereItDoesNotApply) {
  const Json json = sample_json();
  ASSERT_EQ(json["instructions"].size(), 6u);
  for (const Json& row : json["instructions"]) {
    ASSERT_EQ(row.size(), instruction_columns().size());
    for (const auto& column : instruction_columns()) EXPECT_TRUE(row.contains(column.key));
  }
  EXPECT_EQ(json["instructions"][1]["passes"], 5);
  EXPECT_TRUE(json["instructions"][2]["passes"].is_null());
}

TEST(Json, HoldsStatesAndUnitsWithTheirShares) {
  const Json json = sample_json();
  ASSERT_EQ(json["states"].size(), model::kWarpStates);
  EXPECT_EQ(json["states"][8], Json::parse(R"({"state": "short_scoreboard", "cycles": 26,
    "share": 0.52, "cycles_per_issue": 3.25})"));
  EXPECT_EQ(json["units"][0], Json::parse(R"({"unit": "fmai", "instances": 4, "operations": 2,
    "busy": 10, "utilization": 0.1})"));
}

TEST(Json, HoldsWarpsFindingsAndTheConfiguration) {
  const Json json = sample_json();
  EXPECT_EQ(json["warps"][1], Json::parse(R"({"block": 0, "warp": 1, "first_issue": 3,
    "finish": 25, "clock_reads": [7, 19]})"));
  EXPECT_EQ(json["findings"][0], Json::parse(R"({"pc": "0x0028", "text": "STS [R0], R2",
    "block": 0, "warp": 0, "lanes": [0, 1, 2, 3, 31], "source": null,
    "what": "stores an undefined value"})"));
  EXPECT_EQ(json["config"][0], Json::parse(R"({"key": "shuffle.network", "value": "banked",
    "unit": "", "origin": "command line", "source": "assumed", "help": "lane network",
    "allowed": "banked, crossbar"})"));
}

TEST(Json, EqualRunsGiveEqualBytes) {
  EXPECT_EQ(json_text(test::sample_trace(), test::sample_result()),
            json_text(test::sample_trace(), test::sample_result()));
}

TEST(Json, TakesAKernelNameThatIsNoUtf8) {
  traces::Trace trace = test::sample_trace();
  trace.code.name = "k\xff";
  const Json json = Json::parse(json_text(trace, test::sample_result()));
  EXPECT_EQ(json["kernel"], "k\xEF\xBF\xBD");
}

}  // namespace json_test
}  // namespace shflsim::report
