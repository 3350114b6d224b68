// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "isa/base/input_error.h"
#include "model/run.h"
#include "tests/support/code_trace.h"
#include "tests/support/layers.h"

namespace shflsim::model {
namespace global_memory_test {

/// Five loads of one warp, far enough apart not to meet.
traces::Trace five_loads(const std::string& load = "LDG.E") {
  std::string code;
  for (const char* target : {"R10", "R12", "R14", "R16", "R18"})
    code += load + " " + target + ", [R4] &wr=0 ?trans11;\n";
  return test::trace_of(code);
}

/// Five loads like the above, each of one line.
traces::Trace five_loads_of(const std::vector<uint64_t>& lines, const std::string& load = "LDG.E") {
  traces::Trace trace = five_loads(load);
  traces::WarpTrace& warp = trace.warps[0];
  for (uint32_t i = 0; i < lines.size(); ++i) {
    traces::LaneAddresses addresses{};
    for (unsigned lane = 0; lane < isa::kLanes; ++lane) addresses[lane] = lines[i] * 128 + lane * 4;
    warp.steps[i].payload = i;
    warp.addresses.push_back(addresses);
  }
  return trace;
}

/// The latency of each of the five loads.
std::vector<Cycle> latencies_of(const traces::Trace& trace, const std::string& config,
                                const std::vector<std::string>& settings) {
  std::vector<Cycle> latencies;
  const RunResult result = run(trace, test::layers_of(config, settings));
  for (size_t i = 0; i < 5; ++i) latencies.push_back(result.instructions.at(i).latency_max);
  return latencies;
}

std::vector<Cycle> latencies_at(const std::string& hit_rate) {
  return latencies_of(five_loads(), "gm107", {"global_memory.l1_hit_rate=" + hit_rate});
}

constexpr Cycle kHit = 110 + 5;  // plus the way through the queue
constexpr Cycle kMiss = 200 + 5;

TEST(GlobalMemory, SpreadsItsHitsEvenly) {
  EXPECT_EQ(latencies_at("40"), (std::vector<Cycle>{kMiss, kMiss, kHit, kMiss, kHit}));
}

TEST(GlobalMemory, MissesAlwaysAtRateZero) {
  EXPECT_EQ(latencies_at("0"), std::vector<Cycle>(5, kMiss));
}

TEST(GlobalMemory, HitsAlwaysAtAHundredPercent) {
  EXPECT_EQ(latencies_at("100"), std::vector<Cycle>(5, kHit));
}

TEST(GlobalMemory, TheTagsDecideWhereTheAddressesAreKnown) {
  EXPECT_EQ(latencies_of(five_loads_of({0, 1, 0, 1, 2}), "gh100", {}),
            (std::vector<Cycle>{279, 279, 257, 257, 279}));  // a hit takes 22 cycles less
  EXPECT_EQ(latencies_of(five_loads_of({0, 1, 0, 1, 2}), "gm107", {}),
            std::vector<Cycle>(5, kMiss));
}

TEST(GlobalMemory, ThatIsTheBlocksSharedMemoryByItsAddressNeverMisses) {
  constexpr uint64_t kShared = (uint64_t{0x7f00} << 32) / 128;  // line of generic addresses
  for (const char* load : {"LDG.E", "LDG.E.64"}) {
    const auto latencies =
        latencies_of(five_loads_of({kShared, kShared + 1, kShared, kShared + 2, kShared + 3}, load),
                     "gh100", {});
    EXPECT_EQ(latencies, std::vector<Cycle>(5, latencies[0])) << load;
    EXPECT_LT(latencies[0], 60u) << load;
  }
}

TEST(GlobalMemory, AHitRateTakesThePlaceOfTheTags) {
  EXPECT_EQ(latencies_of(five_loads_of({0, 1, 0, 1, 2}), "gm107", {"global_memory.l1_hit_rate=0"}),
            std::vector<Cycle>(5, kMiss));
  EXPECT_EQ(
      latencies_of(five_loads_of({0, 1, 2, 3, 4}), "gh100", {"global_memory.l1_hit_rate=100"}),
      std::vector<Cycle>(5, 31));
}

TEST(GlobalMemory, WithoutAddressesTheAssumedRateDecides) {
  EXPECT_EQ(latencies_of(five_loads(), "gm107", {"global_memory.l1_assumed_rate=40"}),
            latencies_at("40"));
}

TEST(GlobalMemory, AHitRateIsANumberOrTags) {
  const ConfigLayers layers = test::layers_of("gm107", {"global_memory.l1_hit_rate=tag"});
  try {
    effective_config(layers);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "command line: global_memory.l1_hit_rate = 'tag' is no whole number; expected 0 to "
        "100, or tags (percent)");
  }
}

}  // namespace global_memory_test
}  // namespace shflsim::model
