// SPDX-License-Identifier: Apache-2.0
// `run --jobs`: the threads that simulate the SMs change no byte of what is written.
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace shflsim::cli {
namespace jobs_test {

/// Atomics, a queue, a look back, a reduction from a cold L2, and two that stay on one thread.
constexpr const char* kLaunches = R"(
  T=$T/../tests/data/timed/timed.sm90.cubin.gz
  V=${T%/timed/*}/volta/c.sm90.cubin.gz
  while read -r call; do
    for j in 1 2 3 7; do
      $S run $call --no-verdict --jobs $j --format json >$j.json 2>$j.err
      $S run $call --no-verdict --jobs $j --format csv --save 0:$j.bin >$j.csv 2>>$j.err
      for what in json csv err bin; do cmp 1.$what $j.$what; done
    done
    grep -c '"cycles"' 1.json | sed 's/^[1-9].*/ran/'
  done <<END
$T --kernel ticket_lock --grid 12 --block 64 --arg fill:4:00 --arg fill:256:00 --arg u32:8 --sms 10
$T --kernel work_queue --grid 300 --block 64 --arg fill:262144:00 --arg fill:4:00 --arg u32:1024 --sms 132
$T --kernel look_back --grid 64 --block 256 --arg fill:65536:00 --arg fill:65536:01 --arg fill:256:00 --arg fill:4:00 --sms 20
$V --kernel reduce_xor --grid 64 --block 256 --arg fill:65536:05 --arg fill:65536:cd --arg u32:16384 --sms 33
$V --kernel reduce_xor --grid 64 --block 256 --arg fill:65536:05 --arg fill:65536:cd --arg u32:16384 --sms 33 --set global_memory.l2_restored=0
$T --kernel ticket_lock --grid 4 --block 64 --arg fill:4:00 --arg fill:256:00 --arg u32:8 --sms 4 --max-cycles 3000
END
)";

TEST(Jobs, ChangeNoByteOfTheReport) {
  const ProgramRun run = run_script(kLaunches);
  EXPECT_EQ(run.output, "ran\nran\nran\nran\nran\nran\n") << run.errors;
}

}  // namespace jobs_test
}  // namespace shflsim::cli
