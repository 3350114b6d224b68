// SPDX-License-Identifier: Apache-2.0
// The effect of signals and --max-cycles on a run.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/program.h"
#include "tests/support/files.h"
#include "tests/support/scripts.h"

namespace shflsim::cli {
namespace interruption_test {

/// Starts a command that takes minutes, waits until it reports `said` on SIGUSR1, and sends the
/// signals. Job control is on, so that the command does not ignore SIGINT.
std::string stopped(const std::string& command, const std::string& said,
                    const std::string& signals) {
  return "set -m\n"
         "$S trace record $T/suite/bitonic_sort.sass --grid 8000 --block 256 -o t.shft\n"
         "$S " +
         command +
         " >out 2>err & id=$!\n"  // Once it has begun a file it catches signals.
         "until ls -A | grep -q part || ! kill -0 $id; do sleep 0.02; done\n"
         "until grep -q '" +
         said + "' err || ! kill -USR1 $id; do sleep 0.05; done\n" + signals +
         "wait $id; echo $? >&2\n";
}

TEST(Interruption, U15LeavesAReportThatIsMarkedPartial) {
  const ProgramRun run =
      run_script(stopped("run t.shft --json j --csv c", "finished", "kill -INT $id\n") +
                 "head -1 out | sed 's/[0-9]\\+/N/'; head -1 c | sed 's/[0-9]\\+/N/'; cat j");
  EXPECT_NE(run.errors.find("130\n"), std::string::npos) << run.errors;
  const std::string head = "partial: stopped by SIGINT after N cycles\n";
  ASSERT_EQ(run.output.substr(0, 2 * head.size() + 2), head + "# " + head);
  const auto json = nlohmann::json::parse(run.output.substr(2 * head.size() + 2));
  EXPECT_EQ(json["complete"], false);
  EXPECT_EQ(json["stopped_by"], "SIGINT");
  uint64_t states = 0;
  for (const auto& state : json["states"]) states += state["cycles"].get<uint64_t>();
  EXPECT_EQ(states, json["totals"]["warp_cycles"].get<uint64_t>());
  EXPECT_GT(states, 0u);
}

TEST(Interruption, U15OfTermHasStatus143AndLeavesNoPartOfAFile) {
  const ProgramRun run = run_script(stopped("run t.shft --json j", "finished", "kill -TERM $id\n") +
                                    "ls -A; head -1 out");
  EXPECT_NE(run.errors.find("143\n"), std::string::npos) << run.errors;
  EXPECT_EQ(run.output.substr(0, run.output.find(" after")),
            "err\nj\nout\nt.shft\npartial: stopped by SIGTERM");
}

TEST(Interruption, A33WhileNothingIsTimedEndsAtOnceAndRemovesWhatLiesBeside) {
  const ProgramRun run = run_script(
      "set -m; mkfifo fifo; $S run fifo --json j & id=$!\n"
      "$S trace record $T/suite/bitonic_sort.sass --grid 200000 --block 256 "
      "--max-instructions 999999999 -o t.shft & record=$!\n"
      "until ls -A | grep -q part || ! kill -0 $record; do sleep 0.05; done\n"
      "kill -TERM $id $record; { wait $id; echo $?; wait $record; echo $?; } 2>/dev/null; ls -A");
  EXPECT_EQ(run.output, "143\n143\nfifo\n") << run.errors;
  // The recording runs its launch, or is about to.
  const std::string first = "stopped while nothing was being timed; nothing is reported\n";
  const std::string running = "stopped by SIGTERM while the launch ran\n";
  EXPECT_TRUE(run.errors == first + first || run.errors == first + running ||
              run.errors == running + first)
      << run.errors;
}

TEST(Interruption, U19AStatusLineIsWrittenWhereUsr1Asks) {
  const ProgramRun run = run_script(stopped("run t.shft --json j", "finished", "kill -TERM $id\n") +
                                    "grep finished err | head -1");
  EXPECT_EQ(run.output.substr(0, 6), "cycle ");
  EXPECT_NE(run.output.find(" of 64000 warps finished\n"), std::string::npos) << run.output;
}

TEST(Interruption, OfSeveralLaunchesTheOneUnderWayIsTheLast) {
  const ProgramRun run =
      run_script(test::launch_file("[launch]\nblock=64\n[launch]\nblock=256\n[launch]") +
                 "$S run --launch l.ini --max-cycles 100 --json j.json >out; echo $?\n"
                 "grep -c '^launch' out; ls j*; grep -h complete j*");
  EXPECT_EQ(run.output, "3\n1\nj.1.json\n \"complete\": false,\n") << run.errors;
}

TEST(Interruption, OfAComparisonSaysHowManyRunsWereDone) {
  const ProgramRun run =
      run_script(stopped("compare $T/suite/bitonic_sort.sass t.shft t.shft --jobs 1 --json j "
                         "--network crossbar,ring",
                         "runs are done", "kill -INT $id\n") +
                 "tail -1 err | tr 0-9 N; ls -A");
  EXPECT_NE(run.errors.find("130\n"), std::string::npos) << run.errors;
  EXPECT_EQ(run.output, "stopped with N of N runs done; nothing is reported\nerr\nout\nt.shft\n");
}

TEST(MaxCycles, U19EndARunWithItsMarkAndStatusThree) {
  const ProgramRun run = run_program("run " + test::source_path("traces/suite/bitonic_sort.sass") +
                                     " --max-cycles 100 --json -");
  EXPECT_EQ(run.status, 3) << run.errors;
  const auto json = nlohmann::json::parse(run.output);
  EXPECT_EQ(json["complete"], false);
  EXPECT_EQ(json["stopped_by"], "--max-cycles");
  EXPECT_EQ(json["totals"]["cycles"], 100);
  EXPECT_EQ(json["totals"]["warp_cycles"], 800);  // 8 warps, resident all the time
}

TEST(MaxCycles, ThatARunDoesNotComeToChangeNothing) {
  const ProgramRun run = run_script(
      "$S run $T/suite/fft_32.sass >a; $S run $T/suite/fft_32.sass --max-cycles 99999 >b;"
      "cmp a b");
  EXPECT_EQ(run.status, 0) << run.errors;
}

TEST(MaxCycles, OfAComparisonMarkThePartialRuns) {
  const ProgramRun run = run_script(
      "$S compare $T/suite/bitonic_sort.sass $T/scan_inclusive.sass --max-cycles 300 --csv c | "
      "grep partial; echo ${PIPESTATUS[0]}; python3 -c \""
      "import csv; print([row['stopped_by'] for row in csv.DictReader(open('c'))])\"");
  EXPECT_EQ(run.output,
            "bitonic_sort, gm107: partial: stopped by --max-cycles after 300 cycles\n3\n"
            "['--max-cycles', '']\n");
}

TEST(MaxCycles, MustBeANumber) {
  const ProgramRun run =
      run_program("run " + test::source_path("traces/scan_inclusive.sass") + " --max-cycles 0");
  EXPECT_EQ(run.errors, "--max-cycles: '0' is out of range; expected 1 to 4611686018427387904\n");
  EXPECT_EQ(run.status, 2);
}

}  // namespace interruption_test
}  // namespace shflsim::cli
