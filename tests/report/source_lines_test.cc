// SPDX-License-Identifier: Apache-2.0
#include "report/run/source_lines.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "report/run/report.h"
#include "tests/report/sample_run.h"
#include "tests/support/files.h"

namespace shflsim::report {
namespace source_lines_test {

/// The sample, whose second instruction is of line 9 of `file`.
traces::Trace trace_of(const std::string& file) {
  traces::Trace trace = test::sample_trace();
  trace.code.source_files = {"elsewhere.cu", file};
  trace.code.lines[1].source = {1, 9};
  return trace;
}

Json texts_of(const std::string& file, const std::string& input) {
  const traces::Trace trace = trace_of(file);
  const model::RunResult result = test::sample_result();
  return source_texts({trace, result, {input}});
}

TEST(SourceLines, AreOfTheInstructionsWhoseLineIsKnown) {
  const traces::Trace trace = trace_of("/src/lines.cu");
  const model::RunResult result = test::sample_result();
  const report::Run run{trace, result};
  const Fields<InstructionRow> columns = source_columns();
  EXPECT_EQ(columns[0].get({run, 1}), Value("lines.cu:9"));
  EXPECT_EQ(columns[1].get({run, 1}), Value("/src/lines.cu"));
  EXPECT_TRUE(is_empty(columns[0].get({run, 0})));
}

TEST(SourceLines, C18AreThoseOfFindingsToo) {
  traces::Trace trace = trace_of("/src/lines.cu");
  ASSERT_FALSE(trace.findings.empty());
  trace.code.lines[trace.findings.front().index].source = {1, 12};
  const model::RunResult result = test::sample_result();
  const Json finding = Json::parse(json_text(trace, result))["findings"][0];
  EXPECT_EQ(finding["source"], "lines.cu:12");
  std::ostringstream out;
  write_table(out, trace, result);
  EXPECT_NE(out.str().find("STS [R0], R2: lines.cu:12: stores an undefined value in lanes 0-3,31"),
            std::string::npos);
}

TEST(SourceTexts, AreFoundWhereTheCompilerHadThemOrBesideTheInput) {
  const std::string here = test::data_path("lineinfo/lines.cu");
  EXPECT_EQ(texts_of(here, "x.cubin").at(here)[8], "    sum += in[row * columns + column];");
  const Json beside = texts_of("/nowhere/lines.cu", test::data_path("lineinfo/lines.cubin:k"));
  EXPECT_EQ(beside.at("/nowhere/lines.cu")[8], "    sum += in[row * columns + column];");
  EXPECT_TRUE(texts_of("/nowhere/lines.cu", "x.cubin").empty());
}

TEST(SourceTexts, AreOfNothingButSource) {
  const std::string here = test::data_path("lineinfo/README.md");
  EXPECT_TRUE(texts_of(here, "x.cubin").empty());
}

}  // namespace source_lines_test
}  // namespace shflsim::report
