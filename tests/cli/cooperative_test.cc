// SPDX-License-Identifier: Apache-2.0
// Cooperative launches from the command line.
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace shflsim::cli {
namespace cooperative_test {

constexpr const char* kLaunch =
    "C=$T/../tests/data/cooperative/grid.sm90.cubin.gz\n"
    "A='--kernel grid_scan --block 256 --arg fill:16384:01 --arg fill:16384:00 --arg u32:1024'\n";

TEST(CooperativeLaunch, RunsAndIsReplayedFromItsTraceInTheSameCycles) {
  const ProgramRun run = run_script(std::string(kLaunch) + R"(
    $S trace record $C $A --grid 4 --cooperative --save 1:out.bin -o grid.shft
    od -An -tx4 -j8 -N4 out.bin
    for i in grid.shft "$C $A --grid 4 --cooperative"; do
      $S run $i --config gh100 --format json | grep -m1 '"cycles"'; done | uniq | wc -l
    printf 'code = %s\n[launch]\nkernel = grid_scan\ngrid = 4\nblock = 256\ncooperative = yes\n' $C >l.ini
    echo 'args = in=fill:4096:01, out=fill:4096:00, u32:1024' >>l.ini
    echo 'expect = out:out.bin' >>l.ini
    head -c 4096 out.bin >part && mv part out.bin
    $S run --launch l.ini -q >/dev/null; echo $?)");
  EXPECT_EQ(run.output, " 03030303\n1\n0\n") << run.errors;
}

/// The kernel's barriers are in registers; the cubin gives one barrier, so that warps are the only
/// limit.
TEST(CooperativeLaunch, OfMoreBlocksThanAreResidentAtATimeIsRefused) {
  const ProgramRun run =
      run_script(std::string(kLaunch) + "$S run $C $A --grid 16 --cooperative --sms 1 -q");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.errors,
            "a cooperative launch of 16 blocks; expected 8 at most, which are resident at a time "
            "(--sms)\n");
}

TEST(CooperativeLaunch, IsNamedWhereAKernelNeedsIt) {
  const ProgramRun run = run_script(std::string(kLaunch) + "$S run $C $A --grid 4 -q");
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.errors.find("expected a cooperative launch (--cooperative)"), std::string::npos)
      << run.errors;
}

}  // namespace cooperative_test
}  // namespace shflsim::cli
