// SPDX-License-Identifier: Apache-2.0
// --timeline and --window on the command line.
#include <gtest/gtest.h>

#include "tests/cli/program.h"
#include "tests/support/files.h"

namespace shflsim::cli {
namespace timeline_test {

ProgramRun reduce(const std::string& options) {
  return run_program("run " + test::source_path("traces/suite/block_reduce.sass") +
                     " --block 256 --reg Rvalue=hash " + options);
}

TEST(TimelineOption, DrawsEachWindowOfTheSameRun) {
  const ProgramRun run = reduce("--timeline --timeline=1,7,20:30 --timeline=all,350:");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_NE(run.output.find("Timeline: all 376 cycles, 4 cycles a letter, 8 of 8 warps\n"),
            run.output.npos);
  EXPECT_NE(run.output.find("Timeline: cycles 20 to 29 of 376, warps 1,7 of 8\n"), run.output.npos);
  EXPECT_NE(run.output.find("Timeline: cycles 350 to 375 of 376, warps all of 8\n"),
            run.output.npos);
  EXPECT_NE(run.output.find("\nCritical path: 376 cycles"), run.output.npos);
}

TEST(TimelineOption, SaysThatTheRunHasNoSuchCycles) {
  const ProgramRun run = reduce("--timeline=400:500");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_NE(run.output.find("Timeline: nothing from cycle 400 on; the run has 376 cycles\n"),
            run.output.npos);
}

TEST(TimelineOption, SaysThatTheRunHasNoSuchWarp) {
  const ProgramRun run = reduce("--timeline=8,0:10 --timeline=6-9,20,0:10");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_NE(run.output.find("Timeline: no such warp; the run has warps 0-7\n"), run.output.npos);
  EXPECT_NE(run.output.find("Timeline: cycles 0 to 9 of 376, warps 6-7 of 8\n"), run.output.npos);
}

void expect_refused(const std::string& options, const std::string& message) {
  const ProgramRun run = reduce(options);
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.errors, message + "\n");
}

TEST(TimelineOption, OfNoWindowIsRefused) {
  expect_refused("--timeline=20:10", "--timeline: cycles '20:10' are none; expected FROM below TO");
  expect_refused("--timeline=0,,1",
                 "--timeline: '0,,1'; expected WARPS,FROM:TO such as 0-3,100:200");
  expect_refused("--timeline=0:5,7:9",
                 "--timeline: '0:5,7:9'; expected WARPS,FROM:TO such as 0-3,100:200");
  expect_refused("--timeline=5-2", "--timeline: '2' is out of range; expected 5 to 4294967295");
  expect_refused("--timeline --format csv",
                 "--timeline with --format csv; expected it with text, or --view timeline:FILE");
}

TEST(WindowOption, WithoutAViewOverTimeIsRefused) {
  const ProgramRun run = reduce("--window 0:10 --json -");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.errors.rfind("--window without a view over time; expected --view with ", 0), 0u);
}

TEST(WindowOption, IsWhatAViewShows) {
  const ProgramRun run = reduce("--quiet --window 5,20:30 --view timeline:-");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_NE(run.output.find("Timeline: cycles 20 to 29 of 376, warps 5 of 8\n"), run.output.npos);
}

}  // namespace timeline_test
}  // namespace shflsim::cli
