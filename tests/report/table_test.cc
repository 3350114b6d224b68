// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sstream>

#include "report/run/report.h"
#include "report/terminal/text_table.h"
#include "tests/report/sample_run.h"
#include "tests/support/files.h"

namespace shflsim::report {
namespace table_test {

std::string table_of(const traces::Trace& trace, const model::RunResult& result) {
  std::ostringstream out;
  write_table(out, trace, result);
  return out.str();
}

// clang-format off
constexpr const char* kSample = R"(sample: grid 1, block 64, 2 warps

Totals
  cycles               25 cycles
  warp_instructions    10 warp instructions
  dual_issued           2 warp instructions
  ipc                0.40 warp instructions per cycle
  issue_active       8.0%
  warp_cycles          50 warp-cycles
  cycles_per_issue   6.25 cycles
  register_conflicts    1 cycles
  passes                5 passes
  port_conflicts       12 lanes
  undefined_reads       3 lanes
  shared_wavefronts     4 wavefronts
  shared_conflicts      2 wavefronts

Occupancy
  2 of 64 warps can be resident in an SM (3.1%), limited by the launch's own size; 2.0 are on average (3.1%).
  Blocks of 2 warps: 128 by registers, 256 by shared memory, 32 by warps, 32 by blocks, 1 by the launch's own size.

Warp states
  state            cycles share cycles_per_issue
  short_scoreboard     26 52.0%             3.25
  drain                 8 16.0%             1.00
  selected              8 16.0%             1.00
  no_instruction        4  8.0%             0.50
  wait                  3  6.0%             0.38
  not_selected          1  2.0%             0.12
  short_scoreboard: on average, each warp spends 3.25 cycles being stalled because it waits for a result or operand read
  of SHFL, shared memory, special functions or registers. This stall type represents about 52.0% of the total average of
  6.25 cycles between issuing two instructions.

Units
  unit    instances operations busy utilization
  fmai            4          2   10       10.0%
  shuffle         1          2    5       20.0%

Instructions (>: over 10% of all warp-cycles, over 30% of them in one stall)
                                                         lat.           bank   SHFL  port undef shared shared
    pc     text                             issued lanes  min mean max confl passes confl reads wavefr  confl time top stall        share
  > 0x0008 S2R R0, SR_TID.X                      2  32.0    4  4.0   4                                         12% no_instruction     67%
  > 0x0010 @P0 SHFL.UP PT, R1, R0, 0x1, 0x0      2  31.0    4  6.5   9            5    12     3                42% short_scoreboard   86%
  > 0x0018 FADD R2, R1, R0                       2  32.0    4  5.0   6     1                                   20% short_scoreboard   80%
    0x0028 STS [R0], R2                          2  32.0    4  5.5   7                               4      2  10% wait               60%
  > 0x0030 EXIT                                  2  32.0                                                       16% drain             100%
    0x0038 SHFL.BFLY PT, R1, R0, 0x10, 0x1f      0                                0     0     0                 0%

Findings
  0x0028 STS [R0], R2: stores an undefined value in lanes 0-3,31; in 2 warps, first in block 0 warp 0
)";
// clang-format on

TEST(Table, OfTheSampleRun) {
  EXPECT_EQ(table_of(test::sample_trace(), test::sample_result()), kSample);
}

TEST(Table, LeavesOutColumnsThatSayNothing) {
  model::RunResult result = test::sample_result();
  for (model::StatColumn& column : result.counts) {
    if (column.key.rfind("shared_", 0) == 0) column.values[3] = 0;  // the STS
  }
  const std::string table = table_of(test::sample_trace(), result);
  EXPECT_NE(table.find("undef"), std::string::npos);
  EXPECT_EQ(table.find("wavefr "), std::string::npos);
  EXPECT_NE(table.find("shared_wavefronts     0"), std::string::npos) << "the total remains";
}

TEST(Table, SpeaksOfAStallOnlyWhereIssueSlotsAreIdle) {
  model::RunResult result = test::sample_result();
  const std::string sentence = "This stall type represents";
  result.cycles = 3;  // 8 of 12 slots
  EXPECT_NE(table_of(test::sample_trace(), result).find(sentence), std::string::npos);
  result.cycles = 2;  // 8 of 8
  EXPECT_EQ(table_of(test::sample_trace(), result).find(sentence), std::string::npos);
}

TEST(Table, MarksNoLineWhereEachTakesLittleTime) {
  model::RunResult result = test::sample_result();
  result.warp_cycles = 1000;
  const std::string table = table_of(test::sample_trace(), result);
  EXPECT_EQ(table.find("> 0x"), std::string::npos);
  EXPECT_EQ(table.find("(>:"), std::string::npos);
}

TEST(Table, OfARunWithoutInstructionsHasNoDivisionByZero) {
  const std::string table = table_of({}, {});
  EXPECT_EQ(table.find("nan"), std::string::npos);
  EXPECT_EQ(table.find("inf"), std::string::npos);
  EXPECT_EQ(table.rfind("program: grid 1, block 32, 0 warps\n", 0), 0u);
}

/// `columns` as a screen of `width` columns shows them.
std::vector<std::string> shown_in(size_t width, const std::vector<TextColumn>& columns) {
  std::ostringstream out;
  set_screen(out, {width, false});
  write_columns(out, columns);
  return test::lines_of(out.str());
}

const std::vector<TextColumn> kWide = {
    {"name", true, true, {std::string(60, 'a'), "b"}},
    {"cycles", false, false, {"123456", "7"}, rank_of("cycles")},
    {"toy\nhops", false, false, {std::string(15, '1'), "2"}, rank_of("toy_hops")},
    {"toy\nways", false, false, {std::string(15, '3'), "4"}, rank_of("toy_ways")}};

TEST(TextTable, U4TerminalWhatIsPipedIsNeverCut) {
  const auto lines = shown_in(0, kWide);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[2], "  " + std::string(60, 'a') + " 123456 " + std::string(15, '1') + " " +
                          std::string(15, '3'));
}

TEST(TextTable, U4TerminalNarrowScreensLoseTheColumnsOfHighestRankAndThenTheEndsOfTexts) {
  const auto lines = shown_in(80, kWide);
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[2], "  " + std::string(52, 'a') + "... 123456 " + std::string(15, '1'));
  EXPECT_EQ(lines[3], "  b" + std::string(60, ' ') + "7               2");
  EXPECT_EQ(lines[4], "  not in 80 columns: toy ways (| cat shows all)");
}

TEST(TextTable, U4TerminalScreensThatAreWideEnoughShowAll) {
  const auto whole = shown_in(0, kWide);
  EXPECT_EQ(shown_in(whole[2].size(), kWide), whole);
}

TEST(TextTable, U4TerminalNoLineIsWiderThanAnyScreenFrom40Columns) {
  for (size_t width = 40; width <= 120; ++width) {
    for (const std::string& line : shown_in(width, kWide)) EXPECT_LE(line.size(), width) << line;
  }
}

TEST(TextTable, ColourChangesNoColumn) {
  std::ostringstream out;
  set_screen(out, {0, true});
  write_columns(out, {{"a", true, false, {"b"}}, {"c", false, false, {"d"}, 0, Paint::kStall}},
                {true});
  EXPECT_EQ(out.str(),
            "  \x1b[1ma\x1b[0m \x1b[1mc\x1b[0m\n"
            "  \x1b[1m\x1b[31mb\x1b[0m \x1b[36md\x1b[0m\n");
}

TEST(TextTable, A13IsWrittenInTimeProportionalToItsRows) {
  const std::vector<std::string> cells(100000, "cell");
  std::ostringstream out;
  write_columns(out, std::vector<TextColumn>(15, {"head", true, false, cells}));
  EXPECT_EQ(out.str().size(), 100001 * 77u);
}

TEST(Screen, BreaksALongLineAtABlankAndGoesOnIndented) {
  std::ostringstream out;
  set_screen(out, {40, false});
  write_line(out, std::string(30, 'a') + " " + std::string(30, 'b') + " " + std::string(45, 'c'),
             4);
  EXPECT_EQ(out.str(), std::string(30, 'a') + "\n    " + std::string(30, 'b') + "\n    " +
                           std::string(36, 'c') + "\n    " + std::string(9, 'c') + "\n");
}

TEST(Screen, OfAFileLeavesLinesAsTheyAre) {
  std::ostringstream out;
  write_line(out, std::string(300, 'a') + " b");
  EXPECT_EQ(out.str(), std::string(300, 'a') + " b\n");
  EXPECT_EQ(painted(out, Paint::kHot, "text"), "text");
}

TEST(TextTable, WrapsAParagraphAtSpaces) {
  std::ostringstream out;
  write_wrapped(out, std::string(100, 'a') + " " + std::string(17, 'b') + " c");
  EXPECT_EQ(out.str(), "  " + std::string(100, 'a') + " " + std::string(17, 'b') + "\n  c\n");
}

}  // namespace table_test
}  // namespace shflsim::report
