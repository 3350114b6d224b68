// SPDX-License-Identifier: Apache-2.0
// Probes of asynchronous units (scripts/lab/hw/asynchronous/engine.cu), beside what an H200 gave
// (tests/data/h200/2026-11-28/engine.csv).
#include <gtest/gtest.h>

#include "tests/support/probe.h"

namespace shflsim::model {
namespace engine_probes_test {

/// The words that a probe of one block writes: clocks, beginning with 0.
std::vector<uint32_t> clocks_of(const std::string& kernel, uint32_t warps) {
  return test::Probe("h200/2026-11-28/engine.sm90.cubin.gz", kernel)
      .threads(32 * warps)
      .shared(80000)
      .buffer(1 << 16)
      .buffer(256)
      .words_of("gh100");
}

/// Cycles of warp 0 from behind its stores to behind the fence, a barrier and a bulk store of 16
/// bytes.
struct Fenced {
  std::string stores;  ///< number, and whether each lane stores 16 bytes
  uint32_t warps = 1;
  uint32_t measured = 0;
  uint32_t cycles = 0;
};

class FencesBehindStores : public ::testing::TestWithParam<Fenced> {};

TEST_P(FencesBehindStores, WaitUntilTheStoresHaveBeenRead) {
  const auto clocks =
      clocks_of("_Z19fence_behind_storesILi" + GetParam().stores + "ELb1EEvPhPj", GetParam().warps);
  EXPECT_EQ(clocks[3] - clocks[1], GetParam().cycles);
  EXPECT_NEAR(GetParam().cycles, GetParam().measured, 10);
}

INSTANTIATE_TEST_SUITE_P(Narrow, FencesBehindStores,
                         ::testing::Values(Fenced{"1ELb0", 1, 47, 42}, Fenced{"16ELb0", 1, 49, 44},
                                           Fenced{"16ELb0", 4, 55, 50}));
INSTANTIATE_TEST_SUITE_P(Wide, FencesBehindStores,
                         ::testing::Values(Fenced{"0ELb1", 1, 46, 42}, Fenced{"1ELb1", 1, 56, 49},
                                           Fenced{"4ELb1", 1, 74, 67},
                                           Fenced{"4ELb1", 4, 107, 97}));

}  // namespace engine_probes_test
}  // namespace shflsim::model
