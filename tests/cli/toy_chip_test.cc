// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/cli/program.h"
#include "tests/support/files.h"

namespace shflsim::cli {
namespace toy_chip_test {

/// A minimal chip: one file, anywhere, with the differences from the nearest chip.
class ToyChip : public ::testing::Test {
 protected:
  ToyChip() {
    std::filesystem::create_directories(folder_);
    std::ofstream(chip_) << "assume = gh100\n"
                            "[shuffle]\n"
                            "latency = 40      # measured: by nobody\n"
                            "network = banked  # assumed: an example\n";
  }
  ~ToyChip() override { std::filesystem::remove_all(folder_); }

  const std::string folder_ = testing::TempDir() + "toy_chip_" + std::to_string(getpid());
  const std::string chip_ = folder_ + "/toy.cfg";
};

/// The report after its head, which names the machine.
std::string totals_in(const ProgramRun& run) {
  const size_t totals = run.output.find("Totals");
  EXPECT_NE(totals, std::string::npos);
  return run.output.substr(std::min(totals, run.output.size()));
}

TEST_F(ToyChip, RunsByItsPath) {
  const std::string code = "run " + test::source_path("traces/reduce_butterfly.sass");
  const ProgramRun toy = run_program(code + " --config " + chip_);
  EXPECT_EQ(toy.status, 0) << toy.errors;
  const ProgramRun spelled_out =
      run_program(code + " --config gh100 --set shuffle.latency=40 --set shuffle.network=banked");
  EXPECT_EQ(totals_in(toy), totals_in(spelled_out));
  EXPECT_NE(totals_in(toy), totals_in(run_program(code + " --config gh100")));
}

TEST_F(ToyChip, HasItsOwnValuesAndThoseOfTheOtherAsAssumed) {
  const std::string values = run_program("list config --config " + chip_).output;
  EXPECT_NE(values.find("toy.cfg:3: measured: by nobody\n"), std::string::npos);
  EXPECT_NE(values.find("assumed: as measured on GH100\n"), std::string::npos);
  EXPECT_EQ(values.find("measured:"), values.rfind("measured:"));  // its own value is the only one
}

TEST_F(ToyChip, AConfigBesideItComesBeforeAShippedOne) {
  std::filesystem::rename(chip_, folder_ + "/gm107.cfg");
  std::ofstream(chip_) << "include = gm107\n";
  const std::string values = run_program("list config --config " + chip_).output;
  EXPECT_NE(values.find("gm107.cfg:3: measured: by nobody\n"), std::string::npos);
}

}  // namespace toy_chip_test
}  // namespace shflsim::cli
