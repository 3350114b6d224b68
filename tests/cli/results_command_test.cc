// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace shflsim::cli {
namespace results_command_test {

TEST(ResultsCommand, MergesFilesOfOneSweepAndLeavesThemAsTheyWere) {
  const ProgramRun run = run_script(
      "$S sweep $T/scan_inclusive.sass --vary shuffle.lanes=8,16,32 --db a.sqlite\n"
      "cp a.sqlite b.sqlite\n"
      "$S results --merge a.sqlite b.sqlite -o c.sqlite\n"
      "$S results a.sqlite --csv a.csv >a.txt && $S results c.sqlite --csv c.csv >c.txt\n"
      "cmp a.csv c.csv && wc -l < c.csv\n");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(run.output,
            "a.sqlite: 3 points: 3 done\n"
            "c.sqlite: 3 points: 3 done\n"
            "4\n");
}

}  // namespace results_command_test
}  // namespace shflsim::cli
