// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "isa/base/input_error.h"
#include "sweep/engines/sharded_sweep.h"

namespace shflsim::sweep {
namespace toy_engine_test {

std::string lines(const ShardedSweep& sweep) {
  std::string text;
  for (size_t shard = 0; shard < sweep.shards; ++shard) {
    const std::string its = std::to_string(shard) + "/" + std::to_string(sweep.shards);
    text += shard_command(sweep, sweep.program, its, std::to_string(sweep.jobs)) + "\n";
  }
  return text + merge_command(sweep, sweep.program) + "\n";
}

const bool lines_registered = Engines::add("toy_lines", "a line for each shard", lines);

ShardedSweep two_shards() {
  ShardedSweep sweep;
  sweep.program = "shflsim";
  sweep.arguments = {"sweep", "a file.ini"};
  sweep.database = "/data/out.sqlite";
  sweep.shards = 2;
  return sweep;
}

TEST(Engines, HaveOneThatIsAFileAndALine) {
  ASSERT_TRUE(lines_registered);
  EXPECT_EQ(Engines::at("toy_lines", "--emit").text(two_shards()),
            "shflsim sweep 'a file.ini' --db /data/out.sqlite -j 1 --shard 0/2\n"
            "shflsim sweep 'a file.ini' --db /data/out.sqlite -j 1 --shard 1/2\n"
            "shflsim results --merge /data/out.0-of-2.sqlite /data/out.1-of-2.sqlite "
            "-o /data/out.sqlite\n");
}

TEST(Engines, AreKnownByTheirNames) {
  for (const char* name : {"commands", "kubernetes", "snakemake", "toy_lines"})
    EXPECT_EQ(Engines::all().count(name), 1u) << name;
  EXPECT_THROW(Engines::at("kubernete", "--emit"), InputError);
}

TEST(Engines, NameJobsByTheFilesThatTheyWrite) {
  ShardedSweep sweep = two_shards();
  const std::string name = job_name(sweep);
  EXPECT_EQ(name.size(), std::string("shflsim-01234567").size());
  sweep.arguments.emplace_back("--retry");
  EXPECT_EQ(job_name(sweep), name);
  sweep.shards = 3;
  EXPECT_NE(job_name(sweep), name);
}

}  // namespace toy_engine_test
}  // namespace shflsim::sweep
