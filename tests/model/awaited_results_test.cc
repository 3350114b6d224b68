// SPDX-License-Identifier: Apache-2.0
// Loads that wait for data from the DRAM.
#include "model/mio/awaited_results.h"

#include <gtest/gtest.h>

#include <vector>

namespace shflsim::model {
namespace {

using Came = std::vector<std::pair<uint32_t, Cycle>>;

/// The results that come at `now`, if the data of slice 0 are so many cycles late.
Came come(AwaitedResults& results, Cycle now, Cycle late) {
  Came all;
  const auto lateness = [late](const AwaitedFill& fill) { return fill.slice == 0 ? late : 0; };
  results.decide(now, lateness, [&](const MioRequest& request, const MioCompletion& completion) {
    all.emplace_back(request.slot, completion.result);
  });
  return all;
}

TEST(AwaitedResults, ComeWhenTheirDataAreWritten) {
  const Facts facts;
  AwaitedResults results;
  for (const uint32_t slot : {0u, 1u}) {
    MioRequest request;
    request.facts = &facts;
    request.slot = slot;
    MioCompletion completion = done_at(100);
    completion.fill = {slot, 50};
    ASSERT_TRUE(AwaitedResults::holds(request, completion));
    results.wait(request, completion);
  }
  EXPECT_EQ(results.due(), 100u);
  EXPECT_EQ(come(results, 100, 7), (Came{{1, 100}}));
  EXPECT_EQ(results.due(), 107u);
  EXPECT_EQ(come(results, 107, 9), Came{}) << "later still";
  EXPECT_EQ(come(results, 109, 9), (Came{{0, 109}}));
  EXPECT_EQ(results.due(), kNever);
}

}  // namespace
}  // namespace shflsim::model
