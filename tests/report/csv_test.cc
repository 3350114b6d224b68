// SPDX-License-Identifier: Apache-2.0
#include "report/run/csv.h"

#include <gtest/gtest.h>

#include "report/run/columns.h"
#include "report/run/report.h"
#include "tests/report/sample_run.h"
#include "tests/support/files.h"

namespace shflsim::report {
namespace csv_test {

TEST(CsvQuoted, QuotesOnlyWhatNeedsIt) {
  EXPECT_EQ(csv_quoted(""), "");
  EXPECT_EQ(csv_quoted("EXIT"), "EXIT");
  EXPECT_EQ(csv_quoted("a b;c"), "a b;c");
  EXPECT_EQ(csv_quoted("FADD R2, R1, R0"), "\"FADD R2, R1, R0\"");
  EXPECT_EQ(csv_quoted("\"x\""), "\"\"\"x\"\"\"");
  EXPECT_EQ(csv_quoted("a\nb"), "\"a\nb\"");
  EXPECT_EQ(csv_quoted("a\rb"), "\"a\rb\"");
}

TEST(Csv, HasAHeaderOfTheKeysAndARowForEachStaticInstruction) {
  const auto lines = test::lines_of(csv_text(test::sample_trace(), test::sample_result()));
  ASSERT_EQ(lines.size(), 1u + 6u);
  std::string keys;
  for (const auto& column : instruction_columns()) {
    keys += (keys.empty() ? "" : ",") + column.key;
  }
  EXPECT_EQ(
      lines[0],
      keys + ",input,arguments,machine,network,overrides,values,assumed,assumed_in_use,measured");
  EXPECT_EQ(lines[3].rfind("0x0018,\"FADD R2, R1, R0\",2,32,4,5,6,,,,1,,,,,,,,,,,,,,10,0.2,"
                           "short_scoreboard,0.8,",
                           0),
            0u)
      << lines[3];
  EXPECT_EQ(lines[6].rfind(
                "0x0038,\"SHFL.BFLY PT, R1, R0, 0x10, 0x1f\",0,,,,,,,,,0,0,0,,,,,,,,,,,0,0,,,", 0),
            0u)
      << lines[6];
}

TEST(Csv, U2kEveryRowEndsWithWhatItIsOf) {
  const Origin origin{"k.cubin:a,b", {"--block 64"}, "gm107+mine.cfg", {"x.y=1", "z.w=2"}};
  const auto lines = test::lines_of(csv_text(test::sample_trace(), test::sample_result(), origin));
  const std::string end = ",\"k.cubin:a,b\",--block 64,gm107+mine.cfg,banked,x.y=1 z.w=2,1,1,1,0";
  for (size_t line = 1; line < lines.size(); ++line)
    EXPECT_EQ(lines[line].substr(lines[line].size() - end.size()), end);
}

TEST(Csv, EqualRunsGiveEqualBytes) {
  EXPECT_EQ(csv_text(test::sample_trace(), test::sample_result()),
            csv_text(test::sample_trace(), test::sample_result()));
}

}  // namespace csv_test
}  // namespace shflsim::report
