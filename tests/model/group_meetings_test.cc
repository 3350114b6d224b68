// SPDX-License-Identifier: Apache-2.0
// The warps of a group wait for one another before their products.
#include "model/barrier/group_meetings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace shflsim::model {
namespace group_meetings_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(GroupMeetings, LetAWarpGoWhenEachWarpOfItsGroupHasComeAsOften) {
  GroupMeetings meetings(2);
  meetings.start_block(1, 8);
  for (unsigned warp = 0; warp < 3; ++warp) meetings.arrive(1, warp, 10 + warp);
  meetings.arrive(1, 0, 10);  // a second time
  meetings.arrive(1, 5, 15);
  EXPECT_THAT(meetings.take_releases(), IsEmpty());
  meetings.arrive(1, 3, 13);
  EXPECT_THAT(meetings.take_releases(), ElementsAre(11, 12, 13));
  for (unsigned warp = 1; warp < 4; ++warp) meetings.arrive(1, warp, 10 + warp);
  EXPECT_THAT(meetings.take_releases(), ElementsAre(10, 11, 12, 13));
}

TEST(GroupMeetings, DoNotWaitForWarpsThatTheBlockLacks) {
  GroupMeetings meetings(1);
  meetings.start_block(0, 6);
  meetings.arrive(0, 4, 4);
  EXPECT_THAT(meetings.take_releases(), IsEmpty());
  meetings.arrive(0, 5, 5);
  EXPECT_THAT(meetings.take_releases(), ElementsAre(4, 5));
  meetings.start_block(0, 6);  // the next block in its place
  meetings.arrive(0, 4, 4);
  EXPECT_THAT(meetings.take_releases(), IsEmpty());
}

}  // namespace group_meetings_test
}  // namespace shflsim::model
