// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "model/run.h"
#include "report/run/view.h"
#include "tests/support/code_trace.h"
#include "tests/support/layers.h"

namespace shflsim::report {
namespace konata_test {

std::string log_of(const std::string& code, const std::string& setting) {
  const traces::Trace trace = test::trace_of(code);
  const std::unique_ptr<View> view = Views::table().at("konata").make();
  const model::RunResult result =
      model::run(trace, test::layers_of("gm107", {setting}), 1, view->observer());
  return view->content({trace, result});
}

/// The SHFL takes the unit's one pass in cycle 5 and is back 8 cycles later; FADD's result takes 6.
TEST(Konata, HasARowForEachInstructionWithItsStagesAndWhatItsWarpWaitedFor) {
  EXPECT_EQ(log_of("SHFL.BFLY PT, R1, R2, 1, 0x1f &wr=0 ?trans2\nFADD R3, R1, R1 &req={0}\nEXIT\n",
                   "shuffle.latency=8"),
            "Kanata\t0004\n"
            "C=\t0\n"
            "I\t0\t0\t0\n"
            "L\t0\t0\tsm0.0 b0 w0 0008: SHFL.BFLY PT, R1, R2, 0x1, 0x1f\n"
            "L\t0\t1\tslot 0, lanes ffffffff\n"
            "S\t0\t0\tIs\n"
            "C\t1\n"
            "S\t0\t0\tOp\n"
            "I\t1\t1\t0\n"
            "L\t1\t0\tsm0.0 b0 w0 0010: FADD R3, R1, R1\n"
            "L\t1\t1\tslot 0, lanes ffffffff\n"
            "S\t1\t0\tW\n"
            "S\t1\t1\twait\n"
            "C\t1\n"
            "E\t1\t1\twait\n"
            "S\t1\t1\tshort_scoreboard\n"
            "C\t3\n"
            "S\t0\t0\tX\n"
            "L\t0\t2\tpasses: 1\n"
            "C\t1\n"
            "S\t0\t0\tWb\n"
            "C\t7\n"
            "R\t0\t0\t0\n"
            "E\t1\t1\tshort_scoreboard\n"
            "S\t1\t0\tIs\n"
            "W\t1\t0\t0\n"
            "C\t1\n"
            "S\t1\t0\tX\n"
            "I\t2\t2\t0\n"
            "L\t2\t0\tsm0.0 b0 w0 0018: EXIT\n"
            "L\t2\t1\tslot 0, lanes ffffffff\n"
            "S\t2\t0\tIs\n"
            "C\t1\n"
            "R\t2\t2\t0\n"
            "C\t4\n"
            "R\t1\t1\t0\n");
}

}  // namespace konata_test
}  // namespace shflsim::report
