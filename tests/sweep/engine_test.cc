// SPDX-License-Identifier: Apache-2.0
#include "sweep/engine.h"

#include <gtest/gtest.h>

#include <csignal>

#include "model/run.h"

namespace shflsim::sweep {
namespace engine_test {

TEST(Engine, ASignalWhileAnInputOpensLeavesItsPointsWithoutAResult) {
  Spec spec;
  spec.axes.push_back(axis_of(assignment_of("shuffle.lanes=8,16", "axis")));
  Input input{"a.sass", {"a"}, "gm107", {}, digest_of_files({}), "", "a.sass", {}};
  input.open = []() -> std::vector<traces::Trace> { throw model::Interrupted("stopped", SIGTERM); };
  const std::vector<Input> inputs{input};
  const Grid grid({{"a.sass", "a", "gm107"}}, {"gm107"}, spec);
  size_t taken = 0;
  const auto take = [&](size_t, const Point&) { ++taken; };
  EXPECT_THROW(run_points({spec, inputs, {}, grid}, {0, 1}, 1, take), model::Interrupted);
  EXPECT_EQ(taken, 0u);
}

}  // namespace engine_test
}  // namespace shflsim::sweep
