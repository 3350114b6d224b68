// SPDX-License-Identifier: Apache-2.0
// Functional execution alone: warp instructions per second on one core, for each shipped kernel and
// the same kernels compiled for sm_90; then all kernels of both families in turn, with their ratio.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <numeric>

#include "isa/dialects/source.h"
#include "isa/machine/machine.h"

namespace {

using namespace shflsim;
using namespace shflsim::isa;

constexpr uint32_t kWords = 1024;  // words of the buffers `in` and `out`

struct NoObserver final : StepObserver {
  void on_step(const ExecutedStep&) override {}
  void on_undefined_use(const UndefinedUse&) override {}
};

/// A launch of (const uint32_t* in, uint32_t* out, int n) with 4 blocks of 256 threads.
Launch launch_of(uint64_t in, uint64_t out) {
  Launch launch;
  launch.grid = {4, 1, 1};
  launch.block = {256, 1, 1};
  for (const uint64_t argument : {in, out, uint64_t{kWords}}) {
    for (unsigned byte = 0; byte < 8; ++byte) {
      launch.parameters.push_back(static_cast<uint8_t>(argument >> (8 * byte)));
    }
  }
  return launch;
}

/// A kernel with its buffers.
class Run {
 public:
  explicit Run(Program program) : program_(std::move(program)) {
    std::vector<uint8_t> input(4 * kWords);
    std::iota(input.begin(), input.end(), uint8_t{1});
    const uint64_t in = memory_.allocate(std::move(input));
    launch_ = launch_of(in, memory_.allocate(std::vector<uint8_t>(4 * kWords)));
  }

  const std::string& name() const { return program_.name; }
  /// Executes the kernel once and returns the number of warp instructions.
  uint64_t execute() {
    NoObserver observer;
    return isa::execute(program_, launch_, memory_, observer, {}).warp_instructions;
  }

 private:
  Program program_;
  DeviceMemory memory_;
  Launch launch_;
};

using Runs = std::vector<Run>;

void time_kernel(benchmark::State& state, Run& run) {
  uint64_t executed = 0;
  for (auto _ : state) executed += run.execute();
  state.counters["warp_instructions"] =
      benchmark::Counter(static_cast<double>(executed), benchmark::Counter::kIsRate);
}

/// Warp instructions per second of CPU time, for one execution of all kernels.
double rate_of(Runs& runs) {
  const std::clock_t start = std::clock();
  uint64_t executed = 0;
  for (Run& run : runs) executed += run.execute();
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return static_cast<double>(executed) / std::max(seconds, 1e-9);
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// Runs the families in turn, so that other load of the host affects both.
void compare(benchmark::State& state, Runs& maxwell, Runs& hopper) {
  std::vector<double> sm_50, sm_90, ratio;
  for (auto _ : state) {
    sm_50.push_back(rate_of(maxwell));
    sm_90.push_back(rate_of(hopper));
    ratio.push_back(sm_90.back() / sm_50.back());
  }
  state.counters["sm_50"] = median(sm_50);
  state.counters["sm_90"] = median(sm_90);
  state.counters["ratio"] = median(ratio);
}

Runs runs_of(const char* file) {
  Runs runs;
  const auto source = open_source(file);
  for (const std::string& kernel : source->kernels()) runs.emplace_back(source->program(kernel));
  return runs;
}

void add(Runs& runs, const std::string& prefix) {
  for (Run& run : runs) {
    benchmark::RegisterBenchmark((prefix + run.name()).c_str(),
                                 [&run](benchmark::State& state) { time_kernel(state, run); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  Runs maxwell = runs_of(SHFLSIM_SOURCE_DIR "/traces/kernels.cubin");
  Runs hopper = runs_of(SHFLSIM_SOURCE_DIR "/tests/data/volta/c.sm90.cubin.gz");
  add(maxwell, "");
  add(hopper, "sm_90/");
  benchmark::RegisterBenchmark("all_kernels", [&](benchmark::State& state) {
    compare(state, maxwell, hopper);
  })->Unit(benchmark::kMicrosecond);
  benchmark::RunSpecifiedBenchmarks();
}
