// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "tests/cli/program.h"

namespace shflsim::cli {
namespace sweep_slurm_test {

/// Stand-ins for Slurm's commands: sbatch keeps its options and the script and prints 11, 12, ...;
/// squeue prints the file `queue`.
constexpr const char* kSlurm = R"(
mkdir bin && cd bin
printf '#!/bin/sh\necho "MaxArraySize            = 9"\n' > scontrol
printf '#!/bin/sh\ncat queue 2>/dev/null || true\n' > squeue
printf '#!/bin/sh\necho scancel $*\n' > scancel
cat > sbatch <<'END'
#!/bin/sh
if [ -e refuse ]; then echo 'sbatch: error: Too many jobs' >&2; exit 1; fi
echo 1 >> count
n=$((10 + $(wc -l < count)))
cat > $n.sh
echo "$*" > $n.options
echo $n
END
chmod +x * && cd .. && PATH=$PWD/bin:$PATH
sweep() { $S sweep $T/scan_inclusive.sass --vary shuffle.lanes=8,16,32 --db o.sqlite "$@" |
            sed "s#$PWD#HERE#g"; return ${PIPESTATUS[0]}; }
)";

ProgramRun run_with_slurm(const std::string& script) { return run_script(kSlurm + script); }

TEST(SweepSlurm, SubmitsAnArrayAndWhatMerges) {
  const ProgramRun run = run_with_slurm(
      "sweep --slurm --shards 3 -j 2 -- --time=10 --partition='a b'\n"
      "cat 11.options 12.options; cmp 11.sh o.slurm/shards.sh; cmp 12.sh o.slurm/merge.sh\n"
      "grep -e --array -e cpus 11.sh; tail -n 1 11.sh | grep -o -e '-j.*'\n");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(
      run.output,
      "job 11: 3 of 3 shards of 3 points\n"
      "job 12: merges them into HERE/o.sqlite when they have ended\n"
      "squeue --job 11,12 shows how far they are; their logs and scripts are in HERE/o.slurm\n"
      "the same command with --missing submits those again that did not finish\n"
      "--parsable --time=10 --partition=a b\n"
      "--parsable --time=10 --partition=a b --dependency=singleton,afterany:11\n"
      "#SBATCH --array=0-2\n"
      "#SBATCH --cpus-per-task=2\n"
      "-j \"${SLURM_CPUS_PER_TASK:-2}\" --shard \"$SLURM_ARRAY_TASK_ID/3\"\n");
}

TEST(SweepSlurm, SubmitsAgainWhatHasNoFileNoPointsOrIsNotInSlurmsHands) {
  const ProgramRun run = run_with_slurm(
      "sweep --shard 1/3 > /dev/null\n"
      "sweep --slurm --shards 3 --missing | head -n 1; grep -e --array 11.sh\n"
      "tail -n 1 11.sh | grep -o -e '--vary.*--retry'\n"
      "echo '11 0' > queue\n"
      "sweep --slurm --shards 3 --missing | head -n 1; grep -e --array 13.sh; cat 14.options\n"
      "echo '13 2' >> queue\n"
      "sweep --slurm --shards 3 --missing\n"
      "rm queue; : > o.0-of-3.sqlite; sweep --shard 2/3 > /dev/null\n"
      "sweep --slurm --shards 3 --missing | head -n 1; grep -e --array 15.sh\n"
      "sweep --shard 0/3 > /dev/null\n"
      "sweep --slurm --shards 3 --missing && bash o.slurm/merge.sh | sed 's#.*/##'\n");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(run.output,
            "job 11: 2 of 3 shards of 3 points\n"
            "#SBATCH --array=0,2\n"
            "--vary shuffle.lanes=8,16,32 --retry\n"
            "job 13: 1 of 3 shards of 3 points\n"
            "#SBATCH --array=2\n"
            "--parsable --dependency=singleton,afterany:13:11\n"
            "nothing else is missing: 2 of 3 shards are queued or running\n"
            "job 15: 1 of 3 shards of 3 points\n"
            "#SBATCH --array=0\n"
            "nothing is missing: 3 shards have all of the 3 points\n"
            "bash HERE/o.slurm/merge.sh merges them into HERE/o.sqlite\n"
            "o.sqlite: 3 points: 3 done\n");
}

TEST(SweepSlurm, SubmitsAgainWhatMayDoBetterAndNotWhatIsInvalid) {
  const ProgramRun run = run_with_slurm(
      "fitting() { sweep --warps 8 --vary sm.max_warps=4,8 \"$@\"; }\n"
      "for i in 0 1; do fitting --shard $i/2 > /dev/null; done\n"
      "fitting --slurm --shards 2 --missing | head -n 1\n"
      "fitting --slurm --shards 2 --missing --retry | head -n 1; grep -e --array 11.sh\n"
      "sweep --shard 2/3 --seconds 0.000001 > /dev/null\n"
      "for i in 0 1; do sweep --shard $i/3 > /dev/null; done\n"
      "sweep --slurm --shards 3 --missing | head -n 1; grep -e --array 13.sh\n");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(run.output,
            "nothing is missing: 2 shards have all of the 6 points\n"
            "job 11: 1 of 2 shards of 6 points\n"
            "#SBATCH --array=0\n"
            "job 13: 1 of 3 shards of 3 points\n"
            "#SBATCH --array=2\n");
}

TEST(SweepSlurm, LeavesNothingWhereSlurmRefuses) {
  const ProgramRun run = run_with_slurm("touch refuse; sweep --slurm --shards 3; ls -d o.*\n");
  EXPECT_EQ(run.output, "");
  EXPECT_EQ(run.errors.substr(0, run.errors.find('\n')),
            "sbatch: Too many jobs; expected what this cluster takes");
}

TEST(SweepSlurm, WithoutAClusterNamesTheOtherWays) {
  const ProgramRun run = run_with_slurm(
      "printf '#!/bin/sh\\necho down >&2; exit 1\\n' > bin/scontrol; sweep --slurm --shards 3\n");
  EXPECT_EQ(run.errors,
            "scontrol: down; expected a Slurm cluster; without one, --jobs runs the sweep here and "
            "--emit commands writes its shards for another\n");
}

TEST(SweepSlurm, IsRefusedInOneLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"--slurm --shards 10", "--shards 10; expected 3 at most, as many as there are points\n"},
      {"--slurm --shard 0/3", "--shard and --slurm both given; expected one of them\n"},
      {"--missing", "--missing without --slurm; expected them together\n"},
      {"--slurm -- -a0-3", "-a0-3 behind --; expected --shards N\n"},
      {"--slurm -- --dependency=afterok:1",
       "--dependency=afterok:1 behind --; expected it with nothing to wait for\n"},
      {"--vary shuffle.latency=1..4 --slurm --shards 10",
       "--shards 10; expected 9 at most, this cluster's MaxArraySize\n"},
  };
  for (const auto& [options, errors] : cases) {
    const ProgramRun run = run_with_slurm("sweep " + std::string(options));
    EXPECT_EQ(run.status, 2) << options;
    EXPECT_EQ(run.errors, errors) << options;
    EXPECT_EQ(run.output, "") << options;
  }
}

TEST(SweepSlurm, RefusesFoldersThatSlurmTakesNoLogFilesIn) {
  const ProgramRun run = run_with_slurm(
      "mkdir 'a\\b' && cd 'a\\b'; sweep --slurm 2> ../errors; ls; sed 's/^.*: Slurm/Slurm/' "
      "../errors");
  EXPECT_EQ(run.output,
            "Slurm takes no log files there; expected --db in a folder without quotes, "
            "backslashes and control characters\n");
}

}  // namespace sweep_slurm_test
}  // namespace shflsim::cli
