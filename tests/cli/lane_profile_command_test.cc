// SPDX-License-Identifier: Apache-2.0
// `run --view lanes:FILE` and `compare FILE.lanes`, called as a user does.
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace shflsim::cli {
namespace lane_profile_command_test {

TEST(LaneProfiles, AreWrittenByARunAndRankNetworks) {
  const ProgramRun run = run_script(
      "$S run $T/suite/block_reduce.sass --block 256 --reg Rvalue=hash --quiet "
      "--view lanes:a.lanes --view lanes:a.lanes.gz > report.txt && tail -n 1 a.lanes && "
      "$S compare a.lanes a.lanes.gz --network crossbar,xor --format csv | cut -d, -f1-9");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(run.output.substr(0, run.output.find('\n')), "total 43");
  EXPECT_NE(run.output.find("\na.lanes,,xor,xor,2,43,"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("\na.lanes.gz,block_reduce,crossbar,crossbar,"), std::string::npos)
      << run.output;
}

/// A run and its trace have the same moves and the same report about them.
TEST(LaneProfiles, OfATraceAreThoseOfTheRun) {
  const ProgramRun run = run_script(
      "$S run $T/suite/random_gather.sass --quiet --view lanes:a.lanes > a.txt && "
      "$S trace record $T/suite/random_gather.sass -o t.shft && "
      "$S run t.shft --quiet --view lanes:b.lanes > b.txt && "
      "diff <(grep -v ^source a.lanes) <(grep -v ^source b.lanes) && grep -c map a.lanes");
  EXPECT_EQ(run.status, 0) << run.output << run.errors;
}

TEST(LaneProfiles, RefuseWhatHasNoMeaningForThem) {
  const char* const head = "printf 'lanes 1\\nfamily f 1\\n1 bfly 1 0x1f\\ntotal 1\\n' > a.lanes; ";
  const struct {
    const char* arguments;
    const char* expected;
  } all[] = {
      {"a.lanes $T/suite/fft_32.sass", "fft_32.sass: is no lane profile beside a.lanes; expected"},
      {"a.lanes --block 256", "--block with a lane profile; expected code or a trace"},
      {"a.lanes --watch", "--watch with a lane profile; expected code or a trace"},
      {"a.lanes --html a.html", "--html with a lane profile; expected code or a trace"},
      {"a.lanes --max-cycles 5", "--max-cycles with a lane profile; expected code or a trace"},
      {"a.lanes --pareto cycles,mux2", "--pareto with a lane profile; expected code or a trace"},
      {"a.lanes --sort speedup", "--sort 'speedup' is no figure of a lane profile"},
      {"a.lanes --network cross", "did you mean 'crossbar'?"},
      {"b.lanes", "b.lanes: No such file or directory"},
  };
  for (const auto& each : all) {
    const ProgramRun run = run_script(std::string(head) + "$S compare " + each.arguments);
    EXPECT_EQ(run.status, 2) << each.arguments;
    EXPECT_EQ(run.output, "") << each.arguments;
    EXPECT_NE(run.errors.find(each.expected), std::string::npos)
        << each.arguments << ": " << run.errors;
  }
}

TEST(LaneProfiles, WithFaultsAreRefusedByLineAndColumn) {
  const ProgramRun run = run_script(
      "printf 'lanes 1\\nfamily f 1\\n1 bfly 33 0x1f\\n2 bfl 1 0\\ntotal 1\\n' > a.lanes; "
      "$S compare a.lanes");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.errors.rfind("a.lanes:3:8: ", 0), 0u) << run.errors;
  EXPECT_NE(run.errors.find("\na.lanes:4:3: 'bfl' is no move; expected idx,"), std::string::npos)
      << run.errors;
}

}  // namespace lane_profile_command_test
}  // namespace shflsim::cli
