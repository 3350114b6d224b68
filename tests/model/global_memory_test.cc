// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "isa/reader/source.h"
#include "model/run.h"

namespace shflsim::model {
namespace {

/// Latency of each of five loads of one warp, far enough apart not to meet.
std::vector<Cycle> latencies_at(const std::string& hit_rate) {
  const std::string file = "test.sass";
  std::string code;
  for (const char* target : {"R10", "R11", "R12", "R13", "R14"})
    code += std::string("LDG.E ") + target + ", [R4] &wr=0 ?trans11;\n";
  traces::Trace trace;
  trace.code =
      isa::code_of(isa::find_kernel(*isa::Dialects::named("manual").open({file, code}), "", file));
  traces::WarpTrace warp;
  for (uint32_t i = 0; i < trace.code.lines.size(); ++i)
    warp.steps.push_back({i, isa::kAllLanes, traces::Step::kNone});
  trace.warps.push_back(warp);
  ConfigLayers layers;
  layers.add_file("gm107");
  layers.add_setting("global_memory.l1_hit_rate=" + hit_rate);
  std::vector<Cycle> latencies;
  const RunResult result = run(trace, layers);
  for (size_t i = 0; i < 5; ++i) latencies.push_back(result.instructions.at(i).latency_max);
  return latencies;
}

constexpr Cycle kHit = 110 + 5;  // and the way through the queue
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

}  // namespace
}  // namespace shflsim::model
