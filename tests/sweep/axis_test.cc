// SPDX-License-Identifier: Apache-2.0
#include "sweep/axis.h"

#include <gmock/gmock.h>

namespace shflsim::sweep {
namespace axis_test {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> values_of(const std::string& text) {
  return axis_of(assignment_of(text, "--vary")).values;
}

std::string error_of(const std::string& text) {
  try {
    values_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Axis, TakesListsRangesAndAllWords) {
  EXPECT_THAT(values_of("shuffle.lanes=8, 16,32"), ElementsAre("8", "16", "32"));
  EXPECT_THAT(values_of("mio.queue_depth=4..6"), ElementsAre("4", "5", "6"));
  EXPECT_THAT(values_of("mio.queue_depth=4..10 step 3, 1"), ElementsAre("4", "7", "10", "1"));
  EXPECT_THAT(values_of("shuffle.lanes=4 .. 32 times 2"), ElementsAre("4", "8", "16", "32"));
  EXPECT_THAT(values_of("shuffle.cluster=1"), ElementsAre("1"));
  EXPECT_THAT(values_of("scheduler.policy=all"), testing::Contains("loose_round_robin"));
  EXPECT_THAT(values_of("global_memory.l1_loads=all"), ElementsAre("all"));
}

TEST(Axis, RefusesWhatIsNoValueOfTheParameter) {
  EXPECT_EQ(error_of("shuffle.lane=8"),
            "--vary: unknown key 'shuffle.lane'; did you mean 'shuffle.lanes'?");
  EXPECT_THAT(error_of("shuffle.lanes=8,99"), HasSubstr("shuffle.lanes = 99 is out of range"));
  EXPECT_THAT(error_of("sm.max_warps=1"), HasSubstr("expected 4 to 64 in steps of 4 (warps)"));
  EXPECT_THAT(error_of("shuffle.lanes=some"), HasSubstr("is no whole number"));
  EXPECT_THAT(error_of("shuffle.network=crosbar"), HasSubstr("did you mean 'crossbar'?"));
  EXPECT_THAT(error_of("shuffle.lanes=8,8"), HasSubstr("has the value 8 twice"));
  EXPECT_THAT(error_of("shuffle.lanes=8,,16"), HasSubstr("has an empty item"));
  EXPECT_THAT(error_of("shuffle.lanes="), HasSubstr("expected KEY=VALUE"));
}

TEST(Axis, RefusesRangesThatDoNotEnd) {
  EXPECT_THAT(error_of("shuffle.lanes=32..8"), HasSubstr("goes down"));
  EXPECT_THAT(error_of("shuffle.lanes=8..32 step 0"), HasSubstr("does not end"));
  EXPECT_THAT(error_of("shuffle.lanes=8..32 times 1"), HasSubstr("does not end"));
  EXPECT_THAT(error_of("mio.queue_depth=0..4 times 2"), HasSubstr("does not end"));
  EXPECT_THAT(error_of("shuffle.lanes=8..32 by 8"), HasSubstr("is no range; expected FIRST..LAST"));
  EXPECT_THAT(error_of("shuffle.lanes=8..x"), HasSubstr("is no range"));
  EXPECT_THAT(error_of("sm.watchdog=1..4000000000"), HasSubstr("has more than 100000 values"));
}

TEST(Axis, KnowsWhereEachItemStands) {
  const std::vector<model::Assignment> items =
      items_of({"shuffle.lanes", "8,  99", "", "x.ini", 3, 17, 1});
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[0].column, 17u);
  EXPECT_EQ(items[1].column, 21u);
}

}  // namespace axis_test
}  // namespace shflsim::sweep
