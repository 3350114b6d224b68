// SPDX-License-Identifier: Apache-2.0
// Functional execution alone: lane-instructions a second on one core, for every shipped kernel, and
// for the same kernels compiled for sm_90.
#include <benchmark/benchmark.h>

#include <numeric>

#include "isa/input_error.h"
#include "isa/machine/machine.h"
#include "isa/reader/source.h"

namespace {

using namespace shflsim::isa;

constexpr uint32_t kWords = 1024;  // of the buffers `in` and `out`

struct NoObserver final : StepObserver {
  void on_step(const ExecutedStep&) override {}
  void on_undefined_use(const UndefinedUse&) override {}
};

/// (const uint32_t* in, uint32_t* out, int n) on 4 blocks of 256 threads.
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

void execute_kernel(benchmark::State& state, const Program& program) {
  std::vector<uint8_t> input(4 * kWords);
  std::iota(input.begin(), input.end(), uint8_t{1});
  DeviceMemory memory;
  const uint64_t in = memory.allocate(std::move(input));
  const uint64_t out = memory.allocate(std::vector<uint8_t>(4 * kWords));
  const Launch launch = launch_of(in, out);
  NoObserver observer;
  uint64_t executed = 0;
  try {
    for (auto _ : state) {
      executed += execute(program, launch, memory, observer, {}).lane_instructions;
    }
  } catch (const shflsim::InputError& error) {
    return state.SkipWithError(error.what());
  }
  state.counters["lane-instructions"] =
      benchmark::Counter(static_cast<double>(executed), benchmark::Counter::kIsRate);
}

/// All kernels of a file, with `prefix` before their names.
void add_programs(const char* file, const std::string& prefix, std::vector<Program>* programs) {
  const auto source = open_source(file);
  for (const std::string& kernel : source->kernels()) {
    programs->push_back(source->program(kernel));
    programs->back().name = prefix + kernel;
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  std::vector<Program> programs;
  add_programs(SHFLSIM_SOURCE_DIR "/traces/kernels.cubin", "", &programs);
  add_programs(SHFLSIM_SOURCE_DIR "/tests/data/volta/c.sm90.cubin.gz", "sm_90/", &programs);
  for (const Program& program : programs) {
    benchmark::RegisterBenchmark(program.name.c_str(), [&program](benchmark::State& state) {
      execute_kernel(state, program);
    });
  }
  benchmark::RunSpecifiedBenchmarks();
}
