// SPDX-License-Identifier: Apache-2.0
// Launches that are executed when the model issues their instructions. tests/data/timed:
// nvcc 13.0's code for kernels whose path depends on time, and an H100's clock values.
#include "traces/live_launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>

#include "isa/base/launch_error.h"
#include "isa/dialects/source.h"
#include "model/run.h"
#include "tests/support/files.h"
#include "tests/support/layers.h"
#include "traces/recorder.h"

namespace shflsim::model {
namespace live_launch_test {

using Words = std::vector<uint32_t>;

/// A kernel of tests/data/timed with its memory.
class Kernel {
 public:
  explicit Kernel(const std::string& name)
      : program_(isa::find_kernel(*isa::open_source(test::data_path("timed/timed.sm90.cubin.gz")),
                                  name, "timed")) {}

  Kernel& blocks(uint32_t grid, uint32_t threads) {
    launch_.grid.x = grid;
    launch_.block.x = threads;
    return *this;
  }
  Kernel& buffer(const Words& words) {
    std::vector<uint8_t> bytes(4 * words.size());
    std::memcpy(bytes.data(), words.data(), bytes.size());
    buffers_.push_back(memory_.allocate(bytes));
    return add(buffers_.back(), sizeof buffers_.back());
  }
  /// Leaves a place out, so that the next buffer has its home in the other half of the L2.
  void skip_buffer() { memory_.allocate(std::vector<uint8_t>(4)); }
  /// Instructions after which the launch is endless.
  Kernel& limit(uint64_t instructions) {
    options_.step_limit = instructions;
    return *this;
  }
  Kernel& number(uint32_t value) { return add(value, sizeof value); }

  RunResult run(unsigned sms = 1, isa::StepObserver* recorder = nullptr, Cycle most_cycles = kNever,
                Observer* observer = nullptr, unsigned threads = 1) {
    if (live_ == nullptr) {
      live_ = std::make_shared<traces::LiveLaunch>(program_, launch_, memory_, options_);
      trace_ = traces::live_trace(program_, launch_, live_);
    }
    live_->record(recorder);
    return model::run(trace_, test::layers_of("gh100"), sms, observer, most_cycles, threads);
  }
  Words words(size_t buffer) const {
    const std::vector<uint8_t>& bytes = memory_.bytes(buffers_.at(buffer));
    Words words(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
  }
  const isa::Program& program() const { return program_; }
  const isa::Launch& launch() const { return launch_; }
  const traces::LiveLaunch& live() const { return *live_; }

 private:
  Kernel& add(uint64_t value, size_t size) {
    std::vector<uint8_t>& area = launch_.parameters;
    area.resize((area.size() + size - 1) / size * size);
    for (size_t i = 0; i < size; ++i) area.push_back(static_cast<uint8_t>(value >> (8 * i)));
    return *this;
  }

  isa::Program program_;
  isa::Launch launch_;
  isa::MachineOptions options_;
  isa::DeviceMemory memory_;
  std::vector<uint64_t> buffers_;
  std::shared_ptr<traces::LiveLaunch> live_;
  traces::Trace trace_;
};

/// Indices that each point to the next one, then zeros.
Words ring() {
  Words words(1 << 14);
  for (uint32_t i = 0; i < 1024; ++i) words[i] = (i + 1) & 1023;
  return words;
}

/// A row of h100.csv: the cycles that an H100's clock shows for a kernel.
struct Measured {
  std::string kernel;
  uint32_t warps = 0;
  uint32_t argument = 0;
  double cycles = 0;
};

std::vector<Measured> measured() {
  std::vector<Measured> rows;
  const std::string text = test::read_file(test::data_path("timed/h100.csv"));
  for (const std::string& line : test::lines_of(text)) {
    const std::vector<std::string> fields = test::fields_of(line, ',');
    if (line[0] == '#' || fields.at(0) == "kernel") continue;
    rows.push_back({fields.at(0), static_cast<uint32_t>(test::number_of(fields.at(1), 10)),
                    static_cast<uint32_t>(test::number_of(fields.at(2), 10)),
                    static_cast<double>(test::number_of(fields.at(3), 10))});
  }
  return rows;
}

bool is_chain(const Measured& row) { return row.kernel.find("_chain") != std::string::npos; }

/// The cycles that the model's clock shows.
double cycles_by_clock(const Measured& row) {
  Kernel kernel(row.kernel);
  kernel.blocks(1, 32 * row.warps).buffer(Words(1024));
  if (row.kernel == "atomg_chain") kernel.skip_buffer();
  if (is_chain(row)) kernel.buffer(ring());
  kernel.number(row.argument).run();
  return kernel.words(0).at(row.kernel == "naps" ? 15 : 0);
}

TEST(LiveLaunch, TheClockOfOneWarpSaysWhatAnH100sDoes) {
  constexpr double kOperations = 64;
  for (const Measured& row : measured()) {
    if (!is_chain(row)) continue;
    // One cycle per operation; accesses to the L2 have another distance on silicon. The lines of
    // atomg_chain were far from the SM.
    const bool leaves_sm = row.kernel.find("ldg") == 0 || row.kernel == "atomg_chain";
    EXPECT_NEAR(cycles_by_clock(row), row.cycles, leaves_sm ? row.cycles / 25 : kOperations)
        << row.kernel;
  }
}

TEST(LiveLaunch, WarpsThatPollAndSleepTakeWhatTheyDoOnAnH100) {
  for (const Measured& row : measured()) {
    if (is_chain(row)) continue;
    EXPECT_NEAR(cycles_by_clock(row), row.cycles, row.cycles * 0.16)
        << row.kernel << " of " << row.warps << " warps, " << row.argument;
  }
}

TEST(LiveLaunch, AWorkQueueIsSharedByTheBlocks) {
  constexpr uint32_t kItems = 256, kThreads = 64;
  Kernel queue("work_queue");
  queue.blocks(8, kThreads).buffer(Words(kItems * kThreads)).buffer({0}).number(kItems);
  const RunResult result = queue.run(2);
  Words expected;
  for (uint32_t item = 0; item < kItems; ++item) {
    for (uint32_t thread = 0; thread < kThreads; ++thread) {
      uint32_t x = item;
      for (uint32_t k = 0; k < 20 + item * 7919 % 200; ++k) x = x * 1664525 + thread;
      expected.push_back(x);
    }
  }
  EXPECT_EQ(queue.words(0), expected);
  Cycle first_end = result.cycles;
  for (const WarpStats& warp : result.warps) first_end = std::min(first_end, warp.finish);
  EXPECT_GT(first_end, result.cycles * 9 / 10) << "no block takes all the work";
}

TEST(LiveLaunch, AWaitOnTheClockTakesAsLongAsItSays) {
  Kernel wait("wait_on_clock");
  const Cycle none = Kernel("wait_on_clock").blocks(1, 32).buffer(Words(32)).number(0).run().cycles;
  const Cycle cycles = wait.blocks(1, 32).buffer(Words(32)).number(5000).run().cycles;
  EXPECT_NEAR(static_cast<double>(cycles - none), 5000, 100);
  EXPECT_THAT(wait.words(0), testing::Each(1u));
}

TEST(LiveLaunch, LocksAndRingsThatSpinGoRound) {
  Kernel lock("ticket_lock");
  lock.blocks(4, 64).buffer({0}).buffer(Words(64)).number(8).run(4);
  EXPECT_EQ(lock.words(0).front(), 4u * 8);
  Kernel ring("spin_ring");
  ring.blocks(1, 256).buffer(Words(8 * 8)).number(8).run();
  Words expected(8 * 8);
  std::iota(expected.begin(), expected.end(), 0u);
  EXPECT_EQ(ring.words(0), expected);
}

TEST(LiveLaunch, ABlockLooksBackAtBlocksThatRunBesideIt) {
  constexpr uint32_t kBlocks = 24, kThreads = 256;
  Words input(kBlocks * kThreads);
  for (uint32_t i = 0; i < input.size(); ++i) input[i] = i * 2654435761u >> 24;
  Kernel scan("look_back");
  scan.blocks(kBlocks, kThreads).buffer(Words(input.size())).buffer(input).buffer(Words(kBlocks));
  scan.buffer({0}).run(4);
  Words expected;
  std::partial_sum(input.begin(), input.end(), std::back_inserter(expected));
  EXPECT_EQ(scan.words(0), expected);
}

TEST(LiveLaunch, LanesOfAWarpArriveAtABarrierOneAfterAnother) {
  Kernel halves("halves_at_barrier");
  halves.blocks(1, 256).buffer(Words(256)).run();
  Words expected(256);
  std::iota(expected.rbegin(), expected.rend(), 0u);
  EXPECT_EQ(halves.words(0), expected);
}

/// Calls `check` for kernels whose blocks and warps race for what they share.
void with_racing_kernels(const std::function<void(Kernel& kernel)>& check) {
  Kernel queue("work_queue");
  queue.blocks(24, 64).buffer(Words(256 * 64)).buffer({0}).number(256);
  Kernel lock("ticket_lock");
  lock.blocks(8, 64).buffer({0}).buffer(Words(64)).number(8);
  Kernel scan("look_back");
  scan.blocks(48, 256)
      .buffer(Words(48 * 256))
      .buffer(Words(48 * 256, 1))
      .buffer(Words(48))
      .buffer({0});
  for (Kernel* kernel : {&queue, &lock, &scan}) check(*kernel);
}

/// An observer of instructions makes the SMs run cycle by cycle.
TEST(LiveLaunch, SmsThatRunAheadDoWhatSmsThatRunCycleByCycleDo) {
  with_racing_kernels([](Kernel& kernel) {
    Observer observer;
    const RunResult ahead = kernel.run(3);
    const RunResult in_step = kernel.run(3, nullptr, kNever, &observer);
    EXPECT_EQ(ahead.cycles, in_step.cycles);
    EXPECT_EQ(ahead.warp_instructions, in_step.warp_instructions);
    EXPECT_EQ(ahead.states, in_step.states);
    for (size_t warp = 0; warp < ahead.warps.size(); ++warp) {
      EXPECT_EQ(ahead.warps[warp].sm, in_step.warps[warp].sm) << warp;
      EXPECT_EQ(ahead.warps[warp].finish, in_step.warps[warp].finish) << warp;
    }
  });
}

/// Figures of a run as a text.
std::string text_of(const RunResult& result) {
  std::string text = std::to_string(result.cycles) + " " + std::to_string(result.warp_cycles);
  const auto add = [&text](uint64_t value) { text += " " + std::to_string(value); };
  for (const InstructionStats& stats : result.instructions) {
    for (const uint64_t value :
         {stats.issued, stats.lanes, stats.results, stats.latency_sum, stats.latency_min,
          stats.latency_max, stats.latency_shared, stats.latency_global, stats.latency_predicate})
      add(value);
    for (const uint64_t value : stats.states) add(value);
    for (const uint64_t value : stats.by_latency) add(value);
  }
  for (const StatColumn& column : result.counts)
    for (const uint64_t value : column.values) add(value);
  for (const UnitStats& unit : result.units) add(unit.busy), add(unit.operations);
  for (const WarpStats& warp : result.warps) add(warp.sm), add(warp.first_issue), add(warp.finish);
  for (const EnergyStats& each : result.energy) add(each.toggling), add(each.picojoules);
  return text;
}

TEST(LiveLaunch, IsTheSameInAnyNumberOfThreads) {
  with_racing_kernels([](Kernel& kernel) {
    for (const unsigned sms : {5u, 132u}) {
      const std::string one = text_of(kernel.run(sms));
      for (const unsigned threads : {2u, 3u, 7u})
        EXPECT_EQ(text_of(kernel.run(sms, nullptr, kNever, nullptr, threads)), one)
            << kernel.program().name << " on " << sms << " SMs in " << threads << " threads";
    }
  });
}

TEST(LiveLaunch, EndsAtTheSameInstructionInAnyNumberOfThreads) {
  const auto message = [](unsigned threads) {
    Kernel wait("wait_on_clock");
    wait.blocks(8, 32).buffer(Words(8 * 32)).number(1'000'000'000).limit(100'000);
    try {
      wait.run(5, nullptr, kNever, nullptr, threads);
    } catch (const isa::LaunchError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string one = message(1);
  EXPECT_THAT(one, testing::HasSubstr("still running after 100000 instructions of all warps"));
  EXPECT_EQ(message(2), one);
  EXPECT_EQ(message(3), one);
}

TEST(LiveLaunch, ABlockReadsWhichSmItIsOn) {
  Kernel blocks("sm_of_block");
  blocks.blocks(4, 32).buffer(Words(4)).run(4);
  EXPECT_THAT(blocks.words(0), testing::ElementsAre(0, 1, 2, 3));
}

TEST(LiveLaunch, ASecondRunIsTheSameAndLeavesTheMemoryOfTheFirst) {
  Kernel queue("work_queue");
  queue.blocks(4, 64).buffer(Words(64 * 64)).buffer({0}).number(64);
  const RunResult first = queue.run();
  const Words head = queue.words(1);
  const RunResult second = queue.run();
  EXPECT_EQ(first.cycles, second.cycles);
  EXPECT_EQ(first.warp_instructions, second.warp_instructions);
  EXPECT_EQ(queue.words(1), head);
}

TEST(LiveLaunch, TheReplayOfWhatWasExecutedTakesTheSameCycles) {
  for (const char* name : {"spin_ring", "halves_at_barrier"}) {
    Kernel kernel(name);
    kernel.blocks(1, 256).buffer(Words(256)).number(4);
    traces::Recorder recorder(kernel.program(), kernel.launch());
    const RunResult live = kernel.run(1, &recorder);
    const RunResult replay =
        run(recorder.finish(kernel.live().outcome()), test::layers_of("gh100"));
    EXPECT_EQ(live.warp_instructions, replay.warp_instructions) << name;
    EXPECT_EQ(live.cycles, replay.cycles) << name;
  }
}

TEST(LiveLaunch, ARunThatEndsEarlyIsCompletedWithoutTime) {
  Kernel ring("spin_ring");
  ring.blocks(1, 256).buffer(Words(8 * 8)).number(8);
  EXPECT_EQ(ring.run(1, nullptr, 1000).stopped_by, "--max-cycles");
  EXPECT_EQ(ring.words(0).back(), 0u);
  ring.live().finish();
  EXPECT_EQ(ring.words(0).back(), 63u);
}

}  // namespace live_launch_test
}  // namespace shflsim::model
