// SPDX-License-Identifier: Apache-2.0
// The model without execution: traces are recorded before the clock starts. Rates are per core.
#include <benchmark/benchmark.h>

#include <fstream>
#include <memory>
#include <regex>
#include <sstream>
#include <systemc>

#include "isa/dialects/source.h"
#include "model/run.h"
#include "model/shuffle/shuffle_network.h"
#include "traces/recorder.h"

namespace {

using namespace shflsim;

enum class Control { kAsWritten, kNone };

/// A file of bench/inputs; without its control bits it is timed by a register scoreboard.
isa::Program program_of(const std::string& name, Control control) {
  const std::string path = SHFLSIM_SOURCE_DIR "/bench/inputs/" + name + ".sass";
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  const std::string code = control == Control::kAsWritten
                               ? text.str()
                               : std::regex_replace(text.str(), std::regex(" +[&?].*"), "");
  return isa::find_kernel(*isa::Dialects::named("manual").open({path, code}), "", path);
}

/// A trace in which each of `warps` warps does `passes` iterations of the input's loop.
traces::Trace trace_of(const isa::Program& program, unsigned warps, uint32_t passes) {
  isa::Launch launch;
  launch.block.x = warps * isa::kLanes;
  launch.registers.push_back({0, std::vector<uint32_t>(size_t{warps} * isa::kLanes, passes)});
  isa::DeviceMemory memory;
  isa::Outcome outcome;
  return traces::record(program, launch, memory, {}, &outcome);
}

void time_trace(benchmark::State& state, const traces::Trace& trace, const std::string& setting) {
  model::ConfigLayers layers;
  layers.add_file("gm107");
  if (!setting.empty()) layers.add_setting(setting);
  double instructions = 0;
  double cycles = 0;
  for (auto _ : state) {
    const model::RunResult result = model::run(trace, layers);
    instructions += static_cast<double>(result.warp_instructions);
    cycles += static_cast<double>(result.cycles);
  }
  state.counters["warp_instructions"] = {instructions, benchmark::Counter::kIsRate};
  state.counters["sm_cycles"] = {cycles, benchmark::Counter::kIsRate};
}

void add(const std::string& name, const std::string& input, unsigned warps, uint32_t passes,
         Control control = Control::kAsWritten, const std::string& setting = "") {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    time_trace(state, trace_of(program_of(input, control), warps, passes), setting);
  })->Unit(benchmark::kMillisecond);
}

void add_all() {
  for (const unsigned warps : {1u, 8u, 32u})
    add("mix/warps:" + std::to_string(warps), "mix", warps, 1600 / warps);
  add("mix_without_control_bits/warps:32", "mix", 32, 50, Control::kNone);
  add("half_shfl/warps:32", "half_shfl", 32, 25);
  add("chain/warps:1", "chain", 1, 2000);
  for (const std::string& network : model::ShuffleNetworks::names()) {
    add("network/" + network, "half_shfl", 32, 6, Control::kAsWritten,
        "shuffle.network=" + network);
  }
}

}  // namespace

int sc_main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  add_all();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
