// SPDX-License-Identifier: Apache-2.0
#include "report/explain/network_svg.h"

#include <gtest/gtest.h>

#include "model/run.h"
#include "report/explain/shuffle_request.h"
#include "report/run/compare_design.h"
#include "tests/support/layers.h"

namespace shflsim::report {
namespace network_svg_test {

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// The passes of SHFL.IDX with these sources on a network of gm107.
std::vector<Picture> passes(const std::string& sources, const std::string& network) {
  ShuffleRequest request{"SHFL.IDX PT, R1, R0, R2, 0x1f"};
  request.sb = sources;
  const model::ConfigLayers layers = test::layers_of("gm107");
  const auto made = network_choice(layers)->make(network, isa::kLanes);
  const model::Schedule schedule = made->route(explained(request).map);
  std::vector<Picture> pictures;
  for (size_t pass = 0; pass < schedule.passes.size(); ++pass)
    pictures.push_back(pass_picture(*made, schedule, pass));
  return pictures;
}

TEST(PassPicture, LeadsEachValueThroughEveryLevel) {
  const std::vector<Picture> crossbar = passes("lane*5%32", "crossbar");
  ASSERT_EQ(crossbar.size(), 1u);
  EXPECT_EQ(count_of(crossbar[0].body, "sf-way"), 2 * 32u);  // into the multiplexer, to the result
  EXPECT_EQ(count_of(crossbar[0].body, "sf-wanted"), 0u);
  const std::vector<Picture> butterfly = passes("lane^5", "butterfly");
  ASSERT_EQ(butterfly.size(), 1u);
  EXPECT_EQ(count_of(butterfly[0].body, "sf-way"), 6 * 32u);
}

TEST(PassPicture, ShowsThePortsThatLanesWaitForInRed) {
  const std::vector<Picture> banked = passes("lane*8%32", "banked");  // sources 0, 8, 16, 24
  ASSERT_EQ(banked.size(), 4u);
  for (size_t pass = 0; pass < 4; ++pass)
    EXPECT_EQ(count_of(banked[pass].body, "sf-wanted"), pass < 3 ? 1u : 0u) << pass;
  EXPECT_EQ(count_of(banked[0].body, "24 lanes wait"), 1u);
  EXPECT_EQ(count_of(banked[3].body, "wait"), 0u);
}

TEST(PassPicture, IsDrawnOfEveryNetworkWithWires) {
  for (const std::string& network : model::ShuffleNetworks::names()) {
    for (const Picture& picture : passes("lane^1", network))
      EXPECT_EQ(picture.body.empty(), network == "shared_memory") << network;
  }
}

}  // namespace network_svg_test
}  // namespace shflsim::report
