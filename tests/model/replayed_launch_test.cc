// SPDX-License-Identifier: Apache-2.0
// Copies, barriers in shared memory and clusters that a machine executed take the same cycles when
// they are replayed.
#include "traces/replayed_launch.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "isa/base/input_error.h"
#include "isa/dialects/source.h"
#include "model/run.h"
#include "tests/support/files.h"
#include "tests/support/layers.h"
#include "traces/live_launch.h"
#include "traces/recorder.h"
#include "traces/shft/reader.h"
#include "traces/shft/writer.h"

namespace shflsim::model {
namespace replayed_launch_test {

struct Recorded {
  uint64_t cycles;
  traces::Trace trace;
};

ConfigLayers chip() { return test::layers_of("gh100"); }

/// A kernel of a file with the arguments `in`, `out` and a number or a third buffer.
Recorded recorded(const std::string& file, const std::string& name, isa::Launch launch,
                  bool has_scratch, unsigned sms) {
  const isa::Program program =
      isa::find_kernel(*isa::open_source(test::data_path(file)), name, file);
  isa::DeviceMemory memory;
  std::vector<uint8_t> words(32768);
  for (size_t i = 0; i < words.size(); ++i) words[i] = static_cast<uint8_t>(i * 7 + i / 256);
  const uint64_t in = memory.allocate(words), out = memory.allocate(std::vector<uint8_t>(32768));
  const uint64_t scratch =
      has_scratch ? memory.allocate(std::vector<uint8_t>(1 << 20)) : uint64_t{1024};
  launch.parameters.resize(has_scratch ? 24 : 20);
  std::memcpy(launch.parameters.data(), &in, 8);
  std::memcpy(launch.parameters.data() + 8, &out, 8);
  std::memcpy(launch.parameters.data() + 16, &scratch, has_scratch ? 8 : 4);
  traces::Recorder recorder(program, launch);
  const auto live =
      std::make_shared<traces::LiveLaunch>(program, launch, memory, isa::MachineOptions());
  live->record(&recorder);
  Recorded recorded{run(traces::live_trace(program, launch, live), chip(), sms).cycles, {}};
  live->finish();
  recorded.trace = recorder.finish(live->outcome());
  return recorded;
}

Recorded of_cluster_kernels(const std::string& name, unsigned sms = 4) {
  isa::Launch launch;
  launch.grid.x = 4;
  launch.block.x = 256;
  return recorded("volta/kc90.sm90.cubin.gz", name, launch, false, sms);
}

TEST(ReplayedLaunch, TakesTheCyclesOfTheLaunchThatWasExecuted) {
  for (const std::string& name :
       test::lines_of(test::read_file(test::data_path("volta/kc90.names.txt")))) {
    const Recorded launch = of_cluster_kernels(name);
    EXPECT_EQ(run(launch.trace, chip(), 4).cycles, launch.cycles) << name;
  }
  for (const char* name : {"bulk_specialised", "cluster_ring", "cluster_histogram"}) {
    const Recorded launch = of_cluster_kernels(name, 1);
    EXPECT_EQ(run(launch.trace, chip(), 1).cycles, launch.cycles) << name << " on one SM";
  }
}

TEST(ReplayedLaunch, TakesTheCyclesOfProductsAndBoxes) {
  isa::Launch launch;
  launch.block.x = 384;
  launch.shared_bytes = 67584;
  const Recorded products =
      recorded("hopper/tensor.sm90a.cubin.gz", "specialised", launch, true, 1);
  EXPECT_GT(products.cycles, 3000u);
  EXPECT_EQ(run(products.trace, chip(), 1).cycles, products.cycles);
}

TEST(ReplayedLaunch, IsWhatAFileKeeps) {
  for (const char* name : {"cluster_multicast", "library_copies", "cluster_async_words"}) {
    const Recorded launch = of_cluster_kernels(name);
    const std::string path = testing::TempDir() + "replayed_launch.shft";
    traces::write_shft(path, launch.trace,
                       {{4, 1, 1}, {256, 1, 1}, {launch.trace.cluster_blocks, 1, 1}});
    traces::LaunchShape shape;
    const traces::Trace read = traces::open_shft(path, &shape);
    EXPECT_EQ(read.cluster_blocks, launch.trace.cluster_blocks) << name;
    EXPECT_EQ(read.by_cluster, launch.trace.by_cluster) << name;
    EXPECT_EQ(run(read, chip(), 4).cycles, launch.cycles) << name;
  }
}

TEST(ReplayedLaunch, WaitsForCopiesAsLongAsTheyTakeOnTheMachine) {
  const Recorded launch = of_cluster_kernels("bulk_elected", 1);
  const uint64_t slower =
      run(launch.trace, test::layers_of("gh100", {"copy_engine.latency=1260"}), 1).cycles;
  EXPECT_GE(slower, launch.cycles + 1000) << "each wait sees a copy that comes 1000 cycles later";
}

TEST(ReplayedLaunch, RefusesABarrierThatNothingInitialises) {
  Recorded launch = of_cluster_kernels("bulk_elected", 1);
  for (traces::WarpTrace& warp : launch.trace.warps) {
    for (traces::Step& step : warp.steps) {
      const isa::CodeLine& line = launch.trace.code.lines[step.index];
      if (line.op == isa::Op::kSm70_SYNCS) step.payload = traces::Step::kNone;
    }
  }
  EXPECT_THROW(run(launch.trace, chip(), 1), InputError);
}

}  // namespace replayed_launch_test
}  // namespace shflsim::model
