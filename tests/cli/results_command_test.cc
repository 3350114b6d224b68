// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace shflsim::cli {
namespace results_command_test {

TEST(ResultsCommand, AMergeThatFailsLeavesNoFile) {
  const ProgramRun run = run_script(R"(
    $S sweep $T/suite/fft_32.sass --vary shuffle.latency=8,9 --db a.sqlite -q >/dev/null
    $S sweep $T/suite/fft_32.sass --vary shuffle.latency=7,9 --db b.sqlite -q >/dev/null
    head -c 3000 a.sqlite >damaged.sqlite; echo text >text; mkdir out
    for two in none.sqlite damaged.sqlite b.sqlite text; do
      $S results --merge a.sqlite $two -o out/m.sqlite; echo $?; done
    $S results --merge a.sqlite a.sqlite -o text; echo $?; cat text; ls out)");
  EXPECT_EQ(run.output, "2\n2\n2\n2\n2\ntext\n") << run.errors;
  EXPECT_EQ(run.errors.find("merging"), std::string::npos) << run.errors;
}

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
            "  fastest: shuffle.lanes=32: 163 cycles, cell_area 4489\n"
            "  cheaper: shuffle.lanes=16: 168 cycles (+3.1%), cell_area 2220 (-50.5%)\n"
            "  depends on: shuffle.lanes, up to 1.092 times the cycles of 32\n"
            "c.sqlite: 3 points: 3 done\n"
            "4\n");
}

}  // namespace results_command_test
}  // namespace shflsim::cli
