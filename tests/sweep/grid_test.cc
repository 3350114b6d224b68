// SPDX-License-Identifier: Apache-2.0
#include "sweep/grid.h"

#include <gmock/gmock.h>

namespace shflsim::sweep {
namespace grid_test {

using testing::ElementsAre;
using testing::HasSubstr;

Spec spec_of(const std::vector<std::string>& axes, const std::vector<std::string>& zip = {},
             const std::vector<std::string>& excludes = {}) {
  Spec spec;
  for (const std::string& text : axes) spec.axes.push_back(axis_of(assignment_of(text, "axis")));
  for (const std::string& text : zip) spec.zip.push_back(axis_of(assignment_of(text, "zip")));
  for (const std::string& text : excludes)
    spec.excludes.push_back({"1", text, "", "x.ini", 9, 5, 1});
  return spec;
}

const std::vector<LaunchLabel> kLaunches = {{"a.sass", "a", "gm107"}, {"b.sass", "b", "gh100"}};

/// "a gm107 8 4"
std::vector<std::string> texts_of(const Grid& grid) {
  std::vector<std::string> all;
  for (size_t i = 0; i < grid.size(); ++i) {
    const GridPoint point = grid.at(i);
    std::string text = grid.launch(point).kernel + " " + grid.config(point);
    for (size_t key = 0; key < grid.keys().size(); ++key) text += " " + grid.value(point, key);
    all.push_back(text);
  }
  return all;
}

TEST(Grid, VariesTheLastFastestAndTheZipTogether) {
  const Spec spec =
      spec_of({"shuffle.lanes=8,16"}, {"mio.queue_depth=4,8", "shuffle.queue_depth=0,2"});
  EXPECT_THAT(spec.keys(), ElementsAre("shuffle.lanes", "mio.queue_depth", "shuffle.queue_depth"));
  EXPECT_THAT(texts_of(Grid({kLaunches[0]}, {"gm107", "gh100"}, spec)),
              ElementsAre("a gm107 8 4 0", "a gm107 8 8 2", "a gm107 16 4 0", "a gm107 16 8 2",
                          "a gh100 8 4 0", "a gh100 8 8 2", "a gh100 16 4 0", "a gh100 16 8 2"));
}

TEST(Grid, TakesEachInputsOwnMachineWhereNoneIsNamed) {
  EXPECT_THAT(texts_of(Grid(kLaunches, {}, spec_of({"shuffle.lanes=8"}))),
              ElementsAre("a gm107 8", "b gh100 8"));
  EXPECT_THAT(texts_of(Grid(kLaunches, {}, spec_of({}))), ElementsAre("a gm107", "b gh100"));
}

TEST(Grid, LeavesOutWhatIsExcluded) {
  const Spec spec = spec_of({"shuffle.lanes=8,16,32"}, {},
                            {"kernel = a and shuffle.lanes < 32", "shuffle.lanes = 16"});
  EXPECT_THAT(texts_of(Grid(kLaunches, {}, spec)),
              ElementsAre("a gm107 32", "b gh100 8", "b gh100 32"));
}

std::string error_of(const Spec& spec) {
  try {
    const Grid grid(kLaunches, {}, spec);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Grid, RefusesWhatHasNoPointsOrTooMany) {
  EXPECT_THAT(error_of(spec_of({"shuffle.lanes=8"}, {}, {"shuffle.lanes = 8"})),
              HasSubstr("has no point left"));
  EXPECT_THAT(error_of(spec_of({"shuffle.lanes=8"}, {}, {"shuffle.lane = 8"})),
              HasSubstr("x.ini:9:5: unknown key 'shuffle.lane'"));
  EXPECT_THAT(error_of(spec_of({"sm.watchdog=1000..50000", "shuffle.latency=1..250"})),
              HasSubstr("a sweep of 24500500 points; expected 4194304 at most"));
}

}  // namespace grid_test
}  // namespace shflsim::sweep
