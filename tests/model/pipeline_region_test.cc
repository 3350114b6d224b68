// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "isa/base/input_error.h"
#include "isa/dialects/source.h"
#include "model/run.h"
#include "tests/support/files.h"
#include "tests/support/layers.h"
#include "traces/region.h"

namespace shflsim::model {
namespace pipeline_region_test {

isa::Code kernel_of(const std::string& name) {
  const std::string path = test::source_path("tests/data/h200/bench.sm90.cuobjdump.txt.gz");
  return isa::open_source(path)->code(name);
}

RunResult run_on_gh100(const std::string& kernel, uint32_t warps) {
  traces::RegionOptions options;
  options.warps = warps;
  const ConfigLayers layers = test::layers_of("gh100");
  return run(traces::region_trace(kernel_of(kernel), options), layers);
}

/// Cycles of a warp between the clock reads of the last pass.
Cycle timed(const WarpStats& warp) {
  return warp.clock_reads.back() - warp.clock_reads.at(warp.clock_reads.size() - 2);
}

TEST(PipelineRegion, AChainOfImmediateShufflesTakesWhatWasMeasured) {
  EXPECT_EQ(timed(run_on_gh100("lat_shfl_bfly_imm", 1).warps.front()), 1526u);
}

TEST(PipelineRegion, EightIndependentShufflesOfOneWarpTakeWhatWasMeasured) {
  EXPECT_EQ(timed(run_on_gh100("thr_shfl_bfly_ilp8", 1).warps.front()), 582u);
}

TEST(PipelineRegion, BarriersOfTwoWarpsTakeWhatWasMeasured) {
  EXPECT_EQ(timed(run_on_gh100("bar_sync", 2).warps.front()), 256u);
}

RunResult shape_on_gh100(const std::string& kernel, uint32_t warps) {
  const std::string path =
      test::source_path("tests/data/h200/2026-11-22/shapes.sm90.cuobjdump.txt.gz");
  traces::RegionOptions options;
  options.warps = warps;
  const ConfigLayers layers = test::layers_of("gh100");
  return run(traces::region_trace(isa::open_source(path)->code(kernel), options), layers);
}

TEST(PipelineRegion, StoresBarriersAndLoadsInTurnTakeWhatWasMeasured) {
  EXPECT_EQ(timed(run_on_gh100("alg_block_reduce", 1).warps.front()), 1017u);
  EXPECT_EQ(timed(shape_on_gh100("softmax_block", 1).warps.front()), 724u);
}

// The first clock read waits for the guarded stores of the pass before, the code behind it for a
// barrier that has not waited for them.
TEST(PipelineRegion, GuardedStoresLetGoOfTheirSourcesAsMeasured) {
  EXPECT_EQ(timed(shape_on_gh100("sort_float", 1).warps.front()), 472u);
  EXPECT_NEAR(static_cast<double>(timed(shape_on_gh100("stencil_rows", 1).warps.front())), 127, 1);
}

TEST(PipelineRegion, AConstantComesBeforeLoadsInFrontOfIt) {
  const isa::Code kernel =
      isa::open_source(test::source_path("tests/data/h200/2026-11-22/shapes.sm90.cuobjdump.txt.gz"))
          ->code("transpose_conflict32");
  traces::RegionOptions options;
  options.bases[12] = traces::SharedPattern{32, 1};
  const RunResult result = run(traces::region_trace(kernel, options), test::layers_of("gh100"));
  EXPECT_EQ(timed(result.warps.front()), 85u);  // as measured
}

TEST(PipelineRegion, TwoWarpsStartACycleApartBehindTheirStores) {
  const RunResult result = run_on_gh100("lat_shfl_bfly_imm", 2);
  EXPECT_EQ(timed(result.warps[0]), 1528u);
  EXPECT_EQ(timed(result.warps[1]), 1528u);
}

/// Sixteen stores of eight-way conflict by one warp; each holds its sub-partition for 16 cycles.
Cycle conflicting_stores() {
  const std::string path =
      test::source_path("tests/data/h200/2026-11-22/probes.sm90.cuobjdump.txt.gz");
  traces::RegionOptions options;
  options.shared.stride = 8;
  const ConfigLayers layers = test::layers_of("gh100");
  const isa::Code kernel = isa::open_source(path)->code("store_conflict8");
  return timed(run(traces::region_trace(kernel, options), layers).warps.front());
}

TEST(PipelineRegion, StoresLeaveTheQueueWhileThereArePlaces) {
  EXPECT_EQ(conflicting_stores(), 88u);  // as measured
}

/// Cycles from the first clock read of any warp to the last one of any warp, in the last pass.
Cycle span(const RunResult& result) {
  Cycle first = std::numeric_limits<Cycle>::max();
  Cycle last = 0;
  for (const WarpStats& warp : result.warps) {
    first = std::min(first, warp.clock_reads.at(warp.clock_reads.size() - 2));
    last = std::max(last, warp.clock_reads.back());
  }
  return last - first;
}

TEST(PipelineRegion, WarpsStartAsFarApartAsTheStoresBehindTheirClockReadsLeave) {
  EXPECT_EQ(span(run_on_gh100("empty", 2)), 2u);
}

/// As measured: 62 cycles in each warp.
TEST(PipelineRegion, WarpsOfARowStayApartInMathAlone) {
  const std::string path =
      test::source_path("tests/data/h200/2026-11-22/probes.sm90.cuobjdump.txt.gz");
  traces::RegionOptions options;
  options.row_skew = 11;
  const ConfigLayers layers = test::layers_of("gh100", {"fetch.warm=1", "fetch.warm_l0=0"});
  for (const auto& [warps, cycles] : {std::pair{2u, 65u}, std::pair{4u, 73u}}) {
    options.warps = warps;
    const isa::Code kernel = isa::open_source(path)->code("rewrite_special_source");
    EXPECT_EQ(span(run(traces::region_trace(kernel, options), layers)), cycles);
  }
}

TEST(PipelineRegion, StoresOfFourWarpsHoldUpTheNextPassAsMeasured) {
  EXPECT_EQ(span(run_on_gh100("empty", 4)), 7u);
}

/// One warp of a kernel of the set about write ports.
Cycle timed_of_ports(const std::string& kernel) {
  const std::string path =
      test::source_path("tests/data/h200/2026-11-22/ports.sm90.cuobjdump.txt.gz");
  const isa::Code code = isa::open_source(path)->code(kernel);
  const ConfigLayers layers = test::layers_of("gh100");
  return timed(run(traces::region_trace(code, {}), layers).warps.front());
}

TEST(PipelineRegion, ShufflesWaitForTheBankThatMathWrites) {
  EXPECT_NEAR(static_cast<double>(timed_of_ports("shuffle_even_32")), 783, 783 * 0.03);
}

TEST(PipelineRegion, ShufflesDoNotWaitWhereMathWritesTheOtherBank) {
  EXPECT_NEAR(static_cast<double>(timed_of_ports("shuffle_odd_32")), 689, 689 * 0.03);
}

TEST(PipelineRegion, EveryWarpIsInOneStateInEveryCycle) {
  const RunResult result = run_on_gh100("mix_shfl_ffma_1_1", 8);
  uint64_t cycles = 0;
  for (const uint64_t state : result.states) cycles += state;
  EXPECT_EQ(cycles, result.warp_cycles);
}

TEST(Sm70Listing, NamesTheNearestKernel) {
  try {
    const std::string path = test::source_path("tests/data/h200/bench.sm90.cuobjdump.txt.gz");
    isa::choose_kernel(*isa::open_source(path), "bar_sink", path);
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("bar_sync"), std::string::npos);
  }
}

TEST(SharedPattern, RefusesWhatIsNoPattern) {
  EXPECT_THROW(traces::shared_pattern("stride:0", "--smem"), InputError);
  EXPECT_THROW(traces::shared_pattern("rows", "--smem"), InputError);
  EXPECT_EQ(traces::shared_pattern("stride:32", "--smem").stride, 32u);
  EXPECT_THROW(traces::shared_pattern("values:33", "--smem"), InputError);
  EXPECT_EQ(traces::shared_pattern("values:8", "--smem").values, 8u);
  EXPECT_EQ(traces::shared_pattern("same", "--smem").stride, 0u);
}

}  // namespace pipeline_region_test
}  // namespace shflsim::model
