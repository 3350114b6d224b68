// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace shflsim::cli {
namespace sweep_shards_test {

constexpr const char* kSweep =
    "sweep $T/scan_inclusive.sass $T/scan_reverse.sass --vary shuffle.lanes=8,16,32 ";

ProgramRun run_sweep(const std::string& rest) { return run_script("$S " + (kSweep + rest)); }

TEST(SweepShards, TogetherHaveEveryPointOnce) {
  const std::string sweep = std::string("$S ") + kSweep;
  const ProgramRun run =
      run_script(sweep + "--db whole.sqlite\n" +  //
                 "for i in 0 1 2 3; do " + sweep +
                 "--db o.sqlite --shard $i/4; done\n"  //
                 "$S results --merge o.?-of-4.sqlite -o o.sqlite\n"
                 "for i in whole o; do $S results $i.sqlite --csv $i.csv > /dev/null; done\n"
                 "cmp whole.csv o.csv\n");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(run.output,
            "whole.sqlite: 6 points: 6 done\n"
            "  fastest: shuffle.lanes=32: 163 cycles (geometric mean over 2 launches), cell_area "
            "4489\n"
            "  cheaper: shuffle.lanes=16: 168 cycles (+3.1%), cell_area 2220 (-50.5%)\n"
            "  depends on: shuffle.lanes, up to 1.092 times the cycles of 32\n"
            "o.0-of-4.sqlite: 2 points: 2 done\n"
            "o.1-of-4.sqlite: 2 points: 2 done\n"
            "o.2-of-4.sqlite: 1 point: 1 done\n"
            "o.3-of-4.sqlite: 1 point: 1 done\n"
            "o.sqlite: 6 points: 6 done\n");
}

TEST(SweepShards, AreTakenFromTheSchedulersVariables) {
  const ProgramRun run = run_script(
      "export LSB_JOBINDEX=4 LSB_JOBINDEX_END=4 LSB_JOBINDEX_STEP=1\n"
      "$S " +
      (kSweep + std::string("--db o.sqlite --shard auto\n")) + "JOB_COMPLETION_INDEX=0 $S " +
      kSweep + "--db o.sqlite --shard auto --shards 2\n");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(run.output,
            "o.3-of-4.sqlite: 1 point: 1 done\n"
            "o.0-of-2.sqlite: 3 points: 3 done\n");
}

TEST(SweepShards, RunAgainOnlyWhatTheyHaveNot) {
  const std::string shard = std::string("$S ") + kSweep + "--db o.sqlite --shard 0/2 >/dev/null\n";
  const std::string times =
      "python3 -c \"import sqlite3; print(sqlite3.connect('o.0-of-2.sqlite').execute("
      "'select seconds from results').fetchall())\" > ";
  const ProgramRun run = run_script(shard + times + "first\n" + shard + times + "second\n" +
                                    "cmp first second && grep -o , first | wc -l\n");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(run.output, "5\n");
}

/// So does a job that runs again because its first machine is wrongly thought to be dead.
TEST(SweepShards, AreNotRunByTwoAtATime) {
  const ProgramRun run = run_script(
      "shard() { exec $S sweep $T/suite/random_gather.sass --block 1024 --grid 1024 "
      "--vary shuffle.lanes=4..32 --db o.sqlite --shard 0/2; }\n"
      "(shard) & until [ -s o.0-of-2.sqlite-wal ]; do sleep 0.01; done\n"
      "kill -STOP $!; (shard); status=$?; kill -KILL $!; wait; exit $status\n");
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.errors.find("o.0-of-2.sqlite: database is locked; expected that no other program "
                            "writes to it\n"),
            std::string::npos)
      << run.errors;
}

TEST(SweepShards, AreRefusedInOneLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"--shard 8/8", "--shard '8/8': shard 8 of 8; expected 0 to 7\n"},
      {"--shard 3", "--shard '3'; expected I/N such as 0/8, or auto\n"},
      {"--shard auto --shards 0", "--shards: '0' is out of range; expected 1 to 1000000\n"},
      {"--shards 8", "--shards without --shard or --slurm or --emit; expected one of them\n"},
  };
  for (const auto& [options, errors] : cases) {
    const ProgramRun run = run_sweep(options);
    EXPECT_EQ(run.status, 2) << options;
    EXPECT_EQ(run.errors, errors) << options;
    EXPECT_EQ(run.output, "") << options;
  }
}

}  // namespace sweep_shards_test
}  // namespace shflsim::cli
