// SPDX-License-Identifier: Apache-2.0
// Launches in clusters, and waits for copies, in runs of the model.
#include <gtest/gtest.h>

#include "model/core/facts.h"
#include "tests/support/instruction.h"
#include "tests/support/probe.h"

namespace shflsim::model {
namespace clusters_test {

/// A kernel of tests/data/volta/kc90 on SMs of a GH100: its cycles and its words.
struct Timed {
  RunResult result;
  std::vector<uint8_t> out;
};

Timed timed(const std::string& name, unsigned sms, uint32_t blocks = 4) {
  std::vector<uint8_t> words(size_t{1024} * blocks);
  for (size_t i = 0; i < words.size(); ++i) words[i] = static_cast<uint8_t>(i * 7);
  test::Probe probe("volta/kc90.sm90.cubin.gz", name);
  probe.blocks(blocks).threads(256).buffer(words).buffer(words.size()).argument(256 * blocks);
  const RunResult result = probe.run(test::layers_of("gh100"), sms);
  return {result, probe.bytes()};
}

using Sms = std::vector<uint32_t>;

/// The SMs of blocks in clusters of four.
Sms places(unsigned sms, uint32_t blocks) {
  Sms found;
  for (const WarpStats& warp : timed("cluster_ring", sms, blocks).result.warps) {
    if (warp.warp == 0) found.push_back(warp.sm);
  }
  return found;
}

TEST(Clusters, AreResidentOnAnSmEachOrTogetherOnFewer) {
  EXPECT_EQ(places(1, 4), (Sms{0, 0, 0, 0}));
  EXPECT_EQ(places(2, 4), (Sms{0, 0, 1, 1}));
  EXPECT_EQ(places(4, 4), (Sms{0, 1, 2, 3}));
  EXPECT_EQ(places(10, 8), (Sms{0, 1, 2, 3, 4, 5, 6, 7}));
}

// On the chip the same, but for the GPC that comes first (places.csv.gz, clusters_4 of 16 blocks).
TEST(Clusters, EachIsInOneGpcAndTheGpcsTakeTurns) {
  EXPECT_EQ(places(132, 12), (Sms{0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21}));
}

TEST(Clusters, ComputeTheSameHoweverTheyAreTimed) {
  for (const char* name :
       {"cluster_ring", "cluster_arrivals", "cluster_multicast", "bulk_stages"}) {
    EXPECT_EQ(timed(name, 1).out, timed(name, 4).out) << name;
  }
}

TEST(Clusters, ChargeWaitsAsSiliconDoes) {
  const auto states = [](const Timed& ran, WarpState state) {
    return ran.result.states[static_cast<size_t>(state)];
  };
  const Timed copies = timed("bulk_elected", 1);
  EXPECT_GT(states(copies, WarpState::kLongScoreboard) * 3, copies.result.warp_cycles)
      << "a wait for a phase is one for the long scoreboard";
  const Timed halves = timed("cluster_reduce", 4);
  EXPECT_GT(states(halves, WarpState::kBarrier), 0u);
}

/// A launch of tests/data/h100: kernels that read words and write others.
struct Measured {
  std::string file;
  std::string kernel;
  uint32_t blocks = 0;
  unsigned sms = 0;
  uint32_t threads = 64;
};

RunResult run_measured(const Measured& launched) {
  std::vector<uint8_t> words(size_t{1} << 17);
  for (size_t i = 0; i < words.size(); ++i) words[i] = static_cast<uint8_t>(i * i >> 3);
  return test::Probe("h100/" + launched.file, launched.kernel)
      .blocks(launched.blocks)
      .threads(launched.threads)
      .buffer(words)
      .buffer(words.size())
      .run(test::layers_of("gh100"), launched.sms);
}

/// An H100 adds words of 64 bits in all shared memory of a cluster without a loop.
TEST(Clusters, AddWordsOf64BitsAsOftenAsSilicon) {
  constexpr uint64_t kInstructions = 4764;  // of launches.csv
  const RunResult result = run_measured({"hopper/clusters.sm90.cubin.gz", "words_of_four", 12, 12});
  EXPECT_EQ(result.warp_instructions, kInstructions);
}

/// Floats in other blocks' shared memory are added by loops of ATOM.CAS, 200 cycles and more a
/// round: an H100 takes 31,979 cycles, and 14,000 to 15,600 if they were added at once.
TEST(Clusters, AddFloatsOfOtherBlocksInALoop) {
  const RunResult result =
      run_measured({"hopper_fourth/library.sm90.cubin.gz", "rooms_of_neighbours", 12, 12});
  EXPECT_GT(result.cycles, 25000u);
  EXPECT_LT(result.cycles, 40000u);
}

/// Lanes of one instruction count in four blocks at once: an H100 takes 6,717 cycles.
TEST(Clusters, CountInAllBlocksAtOnce) {
  const RunResult result =
      run_measured({"hopper_more/copies.sm90.cubin.gz", "counts_of_cluster", 12, 12, 256});
  EXPECT_GT(result.cycles, 5000u);
  EXPECT_LT(result.cycles, 8000u);
}

/// The sum goes on while the warp waits; the branch needs the answer.
TEST(Waits, LetArithmeticPass) {
  isa::Code code;
  for (const char* text : {"SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [R7+UR9], R6",
                           "IADD3 R1, R2, R3, RZ", "UIADD3 UR7, UR6, 0x4000, URZ", "@!P0 BRA 0x0"})
    code.lines.push_back(test::line_of(isa::Arch::kSm90, text));
  IssueCodeParams issue;
  issue.codes = "volta";
  const std::vector<Facts> facts = facts_of(code, issue, WideReads::kOnce);
  EXPECT_EQ(facts[0].passes, 2u);
  EXPECT_FALSE(facts[1].passes_wait);
  EXPECT_TRUE(facts[2].passes_wait);
}

/// While a lane's wait has a limit, the other lanes of its warp run on: on an H100 no warp sleeps,
/// and the kernel takes 3,822 cycles.
TEST(Waits, OfALaneWithALimitLetOtherLanesRun) {
  const RunResult result = run_measured({"hopper/warps.sm90.cubin.gz", "states_of_barriers", 3, 3});
  EXPECT_EQ(result.states[static_cast<size_t>(WarpState::kSleeping)], 0u);
  EXPECT_GT(result.cycles, 2600u);
  EXPECT_LT(result.cycles, 4600u);
}

}  // namespace clusters_test
}  // namespace shflsim::model
