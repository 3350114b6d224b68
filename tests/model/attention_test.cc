// SPDX-License-Identifier: Apache-2.0
// The cycles of examples/attention beside an H100's.
#include "tests/support/attention.h"

#include <gtest/gtest.h>

#include "model/run.h"
#include "tests/support/layers.h"
#include "traces/live_launch.h"

namespace shflsim::model {
namespace attention_test {

/// Rows one_64 of tests/data/h100/asynchronous/attention.csv but the first: 12,671 to 12,749.
TEST(Attention, OfOneBlockTakesAnH100sCyclesWithinFivePercent) {
  test::Attention attention;
  const auto live = std::make_shared<traces::LiveLaunch>(attention.program, attention.launch,
                                                         attention.memory, isa::MachineOptions());
  const ConfigLayers layers = test::layers_of("h100", {"fetch.warm=1"});
  run(traces::live_trace(attention.program, attention.launch, live), layers, 1);
  uint32_t cycles = 0;
  std::memcpy(&cycles, attention.memory.bytes(attention.cycles).data(), sizeof cycles);
  EXPECT_NEAR(cycles, 12700.0, 0.05 * 12700);
}

}  // namespace attention_test
}  // namespace shflsim::model
