// SPDX-License-Identifier: Apache-2.0
// Probes of tests/data/h200, compared with an H200.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "tests/support/probe.h"

namespace shflsim::model {
namespace probes_test {

/// Of warp 0, which stores, and warp 1, which stores nothing and ends a group, too.
std::vector<uint32_t> flushed(uint32_t bytes) {
  return test::Probe("h200/2026-11-28/engine.sm90.cubin.gz", "_Z15flush_of_othersPhjjjPj")
      .threads(64)
      .shared(80000)
      .buffer(1 << 17)
      .argument(bytes)
      .argument(0)
      .argument(0)
      .buffer(64)
      .words_of("gh100");
}

TEST(Probes, TheEndOfAGroupWaitsForTheStoresOfOtherWarps) {
  for (const auto& [bytes, measured] : {std::pair{8192u, 378u}, {32768u, 1146u}}) {
    const std::vector<uint32_t> words = flushed(bytes);
    EXPECT_NEAR(words[1], measured, 40) << bytes;
    EXPECT_NEAR(words[3], words[1], 4) << bytes;
  }
}

Cycle straight(const char* l2_warm, const char* warm) {
  return test::Probe("h200/2026-11-28/cold_code.sm90.cubin.gz", "dense")
      .threads(32)
      .buffer(4 * 192)
      .argument(0)
      .words_of("gh100", {l2_warm, warm})[159];
}

/// 160 lines of code; between launches the caches were emptied, or not. Three lines of the L1.5
/// take 49 to 53 cycles, which depends on the SM.
TEST(Probes, CodeIsInTheL15WhereTheCachesAreEmpty) {
  EXPECT_NEAR(static_cast<double>(straight("global_memory.l2_warm=0", "fetch.warm=0")), 2790, 230);
  EXPECT_NEAR(static_cast<double>(straight("global_memory.l2_warm=1", "fetch.warm=1")), 1672, 100);
}

struct Row {
  const char* set;  ///< of tests/data/h200/2026-11-23
  const char* kernel;
  uint32_t warps;
  uint32_t span;  ///< cycles from the first clock read to the last, as measured
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.kernel << " of " << row.warps; }

uint32_t span_of(const Row& row) {
  const std::vector<uint32_t> clocks =
      test::Probe("h200/2026-11-23/" + std::string(row.set) + ".sm90.cubin.gz", row.kernel)
          .threads(32 * row.warps)
          .buffer(4096)
          .buffer(4096)
          .argument(256)
          .buffer(8 * row.warps)
          .argument(4)
          .words_of("gh100", {"fetch.warm=1", "fetch.warm_l0=0"});
  const auto [first, last] = std::minmax_element(clocks.begin(), clocks.end());
  return *last - *first;
}

class ProbeSpans : public ::testing::TestWithParam<Row> {};

TEST_P(ProbeSpans, AreThoseOfAnH200) { EXPECT_EQ(span_of(GetParam()), GetParam().span); }

INSTANTIATE_TEST_SUITE_P(ANopBehindABarrierDoesNotWait, ProbeSpans,
                         ::testing::Values(Row{"matrices", "nothing", 1, 201},
                                           Row{"matrices", "nothing", 2, 203},
                                           Row{"matrices", "nothing", 4, 207},
                                           Row{"matrices", "half_1688_4", 1, 195}));
INSTANTIATE_TEST_SUITE_P(LanesOnOneWordTakeTurns, ProbeSpans,
                         ::testing::Values(Row{"contention", "atoms_add_1_1", 1, 318},
                                           Row{"contention", "atoms_add_1_4", 1, 498},
                                           Row{"contention", "atoms_add_16_4", 1, 258},
                                           Row{"contention", "atoms_add_32_1", 1, 256}));
INSTANTIATE_TEST_SUITE_P(AConstantAtARegistersAddress, ProbeSpans,
                         ::testing::Values(Row{"contention", "ldc_1_1", 1, 264},
                                           Row{"contention", "ldc_1_4", 1, 348}));
INSTANTIATE_TEST_SUITE_P(StepsAtABarrierInSharedMemoryAreApart, ProbeSpans,
                         ::testing::Values(Row{"contention", "sync_lds_1", 1, 298},
                                           Row{"contention", "sync_arrive_row_4", 1, 310},
                                           Row{"contention", "sync_check_row_4", 1, 325},
                                           Row{"contention", "sync_check_4", 1, 427}));

}  // namespace probes_test
}  // namespace shflsim::model
