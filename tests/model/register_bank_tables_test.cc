// SPDX-License-Identifier: Apache-2.0
// Runs of FFMA whose sources are in all combinations of banks, or marked for reuse, compared with
// the cycles that they took on a GTX 750 Ti (tests/data/sm50/register_banks.csv).
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "model/run.h"
#include "tests/support/code_trace.h"
#include "tests/support/files.h"
#include "tests/support/layers.h"

namespace shflsim::model {
namespace register_bank_tables_test {

constexpr unsigned kInstructions = 96;

struct Row {
  std::vector<std::string> sources;  ///< of each instruction, "R8.reuse R12 R16"
  double cycles = 0;                 ///< per instruction, measured
};

/// The rows of a table whose instructions follow each other without a gap: one warp issues them.
std::vector<Row> rows_of(const std::string& table) {
  std::vector<Row> rows;
  for (const std::string& line :
       test::lines_of(test::read_file(test::data_path("sm50/register_banks.csv")))) {
    const std::vector<std::string> fields = test::fields_of(line, ',');
    if (fields.front() != table || fields[1] != "1" || fields[2] != "16") continue;
    Row row;
    row.cycles = std::stod(fields[3]);
    for (const std::string& sources : test::fields_of(fields[4], ';'))
      row.sources.push_back(sources.substr(sources.find('R')));
    rows.push_back(row);
  }
  return rows;
}

std::string code_of(const Row& row) {
  std::string code = "S2R R40, SR_CLOCKLO ?trans1;\n";
  for (unsigned i = 0; i < kInstructions; ++i) {
    const std::vector<std::string> registers =
        test::fields_of(row.sources[i % row.sources.size()], ' ');
    code += "FFMA R" + std::to_string(20 + i % 6);
    for (const std::string& each : registers) code += ", " + each;
    code += " ?trans1;\n";
  }
  return code + "S2R R41, SR_CLOCKLO ?trans1;\n";
}

double modelled(const Row& row, const ConfigLayers& layers) {
  const RunResult result = run(test::trace_of(code_of(row)), layers);
  const std::vector<Cycle>& reads = result.warps.front().clock_reads;
  return static_cast<double>(reads.at(1) - reads.at(0) - 1) / kInstructions;
}

/// Percentage of the rows for which the model is within 5 %.
double share_within_five_percent(const std::vector<Row>& rows) {
  const ConfigLayers layers = test::layers_of("gm107");
  unsigned close = 0;
  for (const Row& row : rows) close += std::abs(modelled(row, layers) / row.cycles - 1) <= 0.05;
  return 100.0 * close / static_cast<double>(rows.size());
}

TEST(RegisterBankTables, EveryCombinationOfBanksOfThreeInstructionsIsWithinFivePercent) {
  const std::vector<Row> rows = rows_of("combinations");
  ASSERT_EQ(rows.size(), 708u);
  EXPECT_EQ(share_within_five_percent(rows), 100.0);
}

TEST(RegisterBankTables, EveryPairOfRegistersWithAndWithoutReuseIsWithinFivePercent) {
  const std::vector<Row> rows = rows_of("reuse");
  ASSERT_EQ(rows.size(), 256u);
  EXPECT_EQ(share_within_five_percent(rows), 100.0);
}

TEST(RegisterBankTables, TwoSetsOfKeptRegistersFitAndThreeDoNot) {
  const std::vector<Row> rows = rows_of("sets");
  ASSERT_EQ(rows.size(), 9u);
  EXPECT_EQ(share_within_five_percent(rows), 100.0);
}

}  // namespace register_bank_tables_test
}  // namespace shflsim::model
