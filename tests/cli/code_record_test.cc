// SPDX-License-Identifier: Apache-2.0
// An instruction has one record, from whatever it was read: its figures are in every report.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/cli/program.h"
#include "tests/support/files.h"

namespace shflsim::cli {
namespace code_record_test {

using Json = nlohmann::ordered_json;

const std::string kTrace = test::source_path("tests/data/accel_sim/version5.traceg");
const std::string kRegion = test::source_path("tests/data/h200/bench.sm90.cuobjdump.txt.gz") +
                            " --kernel mix_shfl_ffma_1_1 --region clock --warps 4";

class CodeRecord : public testing::Test {
 protected:
  CodeRecord() { std::filesystem::create_directories(folder_); }
  ~CodeRecord() override { std::filesystem::remove_all(folder_); }

  Json json_of(const std::string& verb, const std::string& arguments) const {
    const std::string path = folder_ + "/out.json";
    const ProgramRun run = run_program(verb + " " + arguments + " --json " + path);
    EXPECT_EQ(run.status, 0) << run.errors;
    return Json::parse(test::read_file(path));
  }
  std::string csv_of(const std::string& arguments) const {
    const std::string path = folder_ + "/out.csv";
    EXPECT_EQ(run_program("run " + arguments + " --csv " + path).status, 0);
    return test::read_file(path);
  }

  const std::string folder_ = testing::TempDir() + "code_record_" + std::to_string(getpid());
};

/// Expects rows with a matching text to have the column, others not, and the total to be their sum.
void expect_column(const Json& report, const std::string& column, const std::regex& rows) {
  uint64_t sum = 0;
  for (const Json& row : report["instructions"]) {
    const bool applies = std::regex_search(row["text"].get<std::string>(), rows);
    ASSERT_EQ(row[column].is_number(), applies) << column << " of " << row["text"];
    if (applies) sum += row[column].get<uint64_t>();
  }
  EXPECT_EQ(report["totals"][column], sum) << column;
}

TEST_F(CodeRecord, F1AnAccelSimTraceHasItsFiguresInRowsAndTotals) {
  const Json report = json_of("run", kTrace);
  const std::regex shuffles("^SHFL");
  for (const char* column : {"passes", "port_conflicts", "undefined_reads"})
    expect_column(report, column, shuffles);
  expect_column(report, "shared_wavefronts", std::regex("^LDS"));
  expect_column(report, "shared_conflicts", std::regex("^LDS"));
  EXPECT_EQ(report["totals"]["passes"], 4u);
  const ProgramRun table = run_program("run " + kTrace);
  EXPECT_TRUE(std::regex_search(table.output, std::regex("\n  passes +4 passes\n")));
  EXPECT_NE(csv_of(kTrace).find("SHFL.BFLY"), std::string::npos);
}

TEST_F(CodeRecord, F1ARegionOfLaterCodeHasItsFiguresInRowsAndTotals) {
  const Json report = json_of("run", kRegion);
  for (const char* column : {"passes", "port_conflicts", "undefined_reads"})
    expect_column(report, column, std::regex("SHFL"));
  expect_column(
      report, "register_conflicts",
      std::regex("^(@!?U?P\\d )?(FFMA|FADD|IADD3|IMAD|ISETP|MOV|LEA|LOP3|SHF\\.|CS2R|SEL|HFMA2)"));
  EXPECT_GT(report["totals"]["passes"], 0u);
}

TEST_F(CodeRecord, A23U3_1EveryTraceOfLaterCodeHasItsPassesOnAnyNetwork) {
  for (const char* file : {"kernel-1", "version3", "version4", "version4_immediates", "version5"}) {
    for (const char* network : {"crossbar", "banked"}) {
      const std::string trace = test::data_path(std::string("accel_sim/") + file + ".traceg");
      const Json report = json_of("run", trace + " --set shuffle.network=" + network);
      EXPECT_GT(report["totals"]["passes"], 0u) << file << " " << network;
      EXPECT_TRUE(report["totals"]["port_conflicts"].is_number()) << file << " " << network;
    }
  }
}

TEST_F(CodeRecord, F2CompareCountsTheShufflesOfATraceAndTheirEnergy) {
  const Json run = json_of("run", kTrace);
  const Json point = json_of("compare", kTrace)["points"][0];
  uint64_t shuffles = 0;
  for (const Json& row : run["instructions"]) {
    if (row["text"].get<std::string>().rfind("SHFL", 0) == 0)
      shuffles += row["issued"].get<uint64_t>();
  }
  EXPECT_EQ(shuffles, 4u);
  EXPECT_EQ(point["shuffles"], shuffles);
  EXPECT_EQ(point["passes"], run["totals"]["passes"]);
  // 0.208 nJ of passes, plus 32 lanes at 1.833 pJ for each SHFL (configs/shuffle/networks.cfg).
  EXPECT_NEAR(point["energy_nj"].get<double>(), 0.2083 + 4 * 32 * 1.833e-3, 1e-3);
}

/// The trace of version 4 as a chip with this binary version would have written it.
std::string traced_on(const std::string& version, const std::string& folder) {
  std::string path = folder + "/chip.traceg";
  std::ofstream(path) << std::regex_replace(
      test::read_file(test::source_path("tests/data/accel_sim/version4.traceg")),
      std::regex("-binary version = \\d+"), "-binary version = " + version);
  return path;
}

std::vector<std::string> units_of(const Json& report) {
  std::vector<std::string> names;
  for (const Json& unit : report["units"]) names.push_back(unit["unit"]);
  return names;
}

TEST_F(CodeRecord, F4ATraceOfPascalHasNoUnitsOfLaterChips) {
  const Json pascal = json_of("run", traced_on("61", folder_));
  const Json volta = json_of("run", traced_on("70", folder_));
  const auto has = [](const Json& report, const std::string& unit) {
    const std::vector<std::string> units = units_of(report);
    return std::find(units.begin(), units.end(), unit) != units.end();
  };
  for (const char* later : {"half", "tensor"}) {
    EXPECT_FALSE(has(pascal, later)) << later;
    EXPECT_TRUE(has(volta, later)) << later;
  }
  EXPECT_TRUE(has(pascal, "fmai"));
}

TEST_F(CodeRecord, F4ATraceOfPascalKeepsItsFamilyInAFile) {
  const std::string shft = folder_ + "/pascal.shft";
  const std::string traceg = traced_on("61", folder_);
  ASSERT_EQ(run_program("trace convert " + traceg + " -o " + shft).status, 0);
  EXPECT_NE(run_program("trace info " + shft).output.find("SPA 5.0"), std::string::npos);
  Json of_file = json_of("run", shft);
  EXPECT_EQ(of_file["input"], shft);
  of_file["input"] = traceg;
  EXPECT_EQ(of_file.dump(), json_of("run", traceg).dump());
}

}  // namespace code_record_test
}  // namespace shflsim::cli
