// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sstream>

#include "isa/code/code.h"
#include "isa/dialects/source.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace line_table_test {

/// "lines.cu:14", or "-" if no line is known.
std::string place_of(const Code& code, const CodeLine& line) {
  if (line.source.number == 0) return "-";
  const std::string& file = code.source_files[line.source.file];
  return file.substr(file.rfind('/') + 1) + ":" + std::to_string(line.source.number);
}

class LineTable : public ::testing::TestWithParam<const char*> {};

TEST_P(LineTable, SaysOfEachInstructionWhatNvdisasmSays) {
  const std::string name = test::data_path(std::string("lineinfo/lines.") + GetParam());
  const auto cubin = open_source(name + ".cubin.gz");
  std::string found;
  for (const std::string& kernel : cubin->kernels()) {
    const Code code = cubin->code(kernel);
    for (const CodeLine& line : code.lines) {
      std::ostringstream row;
      row << kernel << "\t0x" << std::hex << line.address << "\t" << place_of(code, line) << "\n";
      found += row.str();
    }
  }
  EXPECT_EQ(found, test::read_file(name + ".tsv"));
}

INSTANTIATE_TEST_SUITE_P(Of, LineTable, ::testing::Values("sm75", "sm90"));

TEST(LineTableFiles, HaveTheirFolders) {
  const auto cubin = open_source(test::data_path("lineinfo/lines.sm90.cubin.gz"));
  const std::vector<std::string> files = cubin->program("row_sums").source_files;
  EXPECT_NE(std::find(files.begin(), files.end(), "/home/user/src/lines/lines.cu"), files.end());
}

TEST(LineTableFiles, AreNoneWithoutLineInformation) {
  const auto cubin = open_source(test::data_path("volta/c.sm90.cubin.gz"));
  const Program program = cubin->program(cubin->kernels().front());
  EXPECT_TRUE(program.source_files.empty());
  EXPECT_TRUE(program.source_lines.empty());
}

TEST(LineTableFiles, AreNoneWhereTheTableIsDamaged) {
  std::string bytes = test::read_file(test::data_path("lineinfo/lines.sm90.cubin.gz"));
  const size_t folder = bytes.find("/home/user/src/lines");
  ASSERT_NE(folder, std::string::npos);
  bytes[folder - 22] = '\x7f';  // its version, or nearby: no table that is known
  for (size_t i = 0; i < 24; ++i) bytes[folder - 24 + i] = '\x7f';
  const auto cubin = Dialects::named("cubin").open({"file", bytes});
  EXPECT_TRUE(cubin->program("row_sums").source_files.empty());
  EXPECT_EQ(cubin->kernels().size(), 2u);
}

}  // namespace line_table_test
}  // namespace shflsim::isa
