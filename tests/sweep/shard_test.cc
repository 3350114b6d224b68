// SPDX-License-Identifier: Apache-2.0
#include "sweep/shard.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "isa/base/input_error.h"

namespace shflsim::sweep {
namespace shard_test {

using Variables = std::map<std::string, std::string>;

Environment environment(const Variables& variables) {
  return [variables](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

/// "3 of 8"
std::string shard(const std::string& text, const Variables& variables = {}, size_t count = 0) {
  const Environment its = environment(variables);
  try {
    const Shard shard = shard_of(text, count, its);
    return std::to_string(shard.index) + " of " + std::to_string(shard.count);
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(Shard, IsItsIndexAndTheirNumber) {
  EXPECT_EQ(shard("0/1"), "0 of 1");
  EXPECT_EQ(shard("7/8"), "7 of 8");
  EXPECT_EQ(shard("8/8"), "--shard '8/8': shard 8 of 8; expected 0 to 7");
  for (const char* text : {"", "3", "/8", "3/", "3/0", "-1/8", "a/8", "3/8/2", "3/8 ", "0/1000001"})
    EXPECT_EQ(shard(text),
              "--shard '" + std::string(text) + "'; expected I/N such as 0/8, or auto");
  EXPECT_EQ(shard("3/8", {}, 8), "--shard '3/8' with --shards; expected --shard auto");
}

TEST(Shard, IsWhatAnArrayOfSlurmNumbers) {
  Variables slurm = {{"SLURM_ARRAY_TASK_ID", "3"},
                     {"SLURM_ARRAY_TASK_MIN", "0"},
                     {"SLURM_ARRAY_TASK_MAX", "7"},
                     {"SLURM_ARRAY_TASK_STEP", "1"},
                     {"SLURM_ARRAY_TASK_COUNT", "8"}};
  EXPECT_EQ(shard("auto", slurm), "3 of 8");
  slurm["SLURM_ARRAY_TASK_COUNT"] = "2";  // --array=0,3,7
  EXPECT_EQ(shard("auto", slurm),
            "--shard auto: SLURM_ARRAY_TASK_COUNT is 2, of a part of an array; expected sbatch "
            "--array=0-7, or --shards N");
  slurm["SLURM_ARRAY_TASK_MIN"] = "3";
  EXPECT_EQ(shard("auto", slurm),
            "--shard auto: SLURM_ARRAY_TASK_MIN is 3, of a part of an array; expected sbatch "
            "--array=0-7, or --shards N");
  EXPECT_EQ(shard("auto", slurm, 16), "3 of 16");
  EXPECT_EQ(shard("auto", slurm, 3),
            "--shard auto: SLURM_ARRAY_TASK_ID: shard 3 of 3; expected 0 to 2");
}

TEST(Shard, IsTheCompletionOfAnIndexedJobOfKubernetes) {
  const Variables kubernetes = {{"JOB_COMPLETION_INDEX", "0"}};
  EXPECT_EQ(shard("auto", kubernetes, 8), "0 of 8");
  EXPECT_EQ(shard("auto", kubernetes),
            "--shard auto: Kubernetes does not say how many tasks there are; expected --shards N");
}

TEST(Shard, IsTheIndexOfAnArrayOfPbs) {
  EXPECT_EQ(shard("auto", {{"PBS_ARRAY_INDEX", "7"}}, 8), "7 of 8");
  EXPECT_EQ(shard("auto", {{"PBS_ARRAYID", "2"}}, 8), "2 of 8");
  EXPECT_EQ(shard("auto", {{"PBS_ARRAY_INDEX", "8"}}, 8),
            "--shard auto: PBS_ARRAY_INDEX: shard 8 of 8; expected 0 to 7");
}

TEST(Shard, IsTheIndexOfAnArrayOfLsfLessOne) {
  Variables lsf = {{"LSB_JOBINDEX", "8"}, {"LSB_JOBINDEX_END", "8"}, {"LSB_JOBINDEX_STEP", "1"}};
  EXPECT_EQ(shard("auto", lsf), "7 of 8");
  EXPECT_EQ(shard("auto", lsf, 9), "7 of 9");
  lsf["LSB_JOBINDEX_STEP"] = "2";
  EXPECT_EQ(shard("auto", lsf),
            "--shard auto: LSB_JOBINDEX_STEP is 2, of a part of an array; expected bsub -J "
            "'sweep[1-8]', or --shards N");
}

TEST(Shard, IsTheTaskOfAnArrayOfSgeLessOne) {
  Variables sge = {{"SGE_TASK_ID", "1"},
                   {"SGE_TASK_FIRST", "1"},
                   {"SGE_TASK_LAST", "8"},
                   {"SGE_TASK_STEPSIZE", "1"}};
  EXPECT_EQ(shard("auto", sge), "0 of 8");
  sge["SGE_TASK_FIRST"] = "2";
  EXPECT_EQ(shard("auto", sge),
            "--shard auto: SGE_TASK_FIRST is 2, of a part of an array; expected qsub -t 1-8, or "
            "--shards N");
}

TEST(Shard, IsNoneWhereNoArrayIsRunning) {
  const std::string none =
      "--shard auto: this is no task of an array; expected one of SLURM_ARRAY_TASK_ID, "
      "JOB_COMPLETION_INDEX, PBS_ARRAY_INDEX, PBS_ARRAYID, LSB_JOBINDEX, SGE_TASK_ID";
  EXPECT_EQ(shard("auto"), none);
  EXPECT_EQ(shard("auto", {}, 8), none);
  EXPECT_EQ(shard("auto", {{"SGE_TASK_ID", "undefined"}}), none);
  EXPECT_EQ(shard("auto", {{"LSB_JOBINDEX", "0"}}, 8), none);
  EXPECT_EQ(shard("auto", {{"PBS_ARRAY_INDEX", "x"}}, 8),
            "PBS_ARRAY_INDEX of 'x'; expected a number up to 1000000");
}

TEST(Shard, HasAResultsFileBesideTheSweeps) {
  EXPECT_EQ(shard_path("out.sqlite", {3, 8}), "out.3-of-8.sqlite");
  EXPECT_EQ(shard_path("a b.c/out", {0, 1}), "a b.c/out.0-of-1");
}

}  // namespace shard_test
}  // namespace shflsim::sweep
