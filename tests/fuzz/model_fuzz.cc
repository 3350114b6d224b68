// SPDX-License-Identifier: Apache-2.0
// Invariants of every run, on any machine that the parameters' ranges allow. An input is a machine,
// a program, a launch, and then parameters and their values, four bytes each.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <string>

#include "isa/dialects/schedule.h"
#include "isa/dialects/source.h"
#include "model/run.h"
#include "model/sm/sm.h"
#include "sweep/result_bytes.h"
#include "tests/fuzz/harness.h"
#include "tests/support/files.h"
#include "tests/support/random_program.h"
#include "traces/recorder.h"
#include "traces/trace_format.h"

namespace {

using namespace shflsim;

constexpr size_t kMostBytes = 128;  ///< of an input: 30 parameters

/// Numbers from the input; zeros after its end.
class Bytes {
 public:
  Bytes(const uint8_t* data, size_t size) : at_(data), end_(data + size) {}
  bool at_end() const { return at_ == end_; }
  uint32_t byte() { return at_ == end_ ? 0 : *at_++; }
  uint32_t two() { return byte() | byte() << 8; }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
};

void require(bool holds, const std::string& what) {
  if (holds) return;
  std::cerr << what << "\n";
  std::abort();
}

traces::Trace executed(uint32_t seed, bool has_control, uint32_t warps, uint32_t blocks) {
  const std::string file = "random.sass";
  const auto source =
      isa::Dialects::named("manual").open({file, shflsim::test::random_program(seed)});
  isa::Program program = isa::find_kernel(*source, "", file);
  if (has_control) isa::choose_control(&program);
  isa::Launch launch;
  launch.grid.x = blocks;
  launch.block.x = warps * isa::kLanes;
  isa::DeviceMemory memory;
  isa::Outcome outcome;
  return traces::record(program, launch, memory, {}, &outcome);
}

/// Code of sm_80 with memory, shuffles and a barrier, of 2 blocks of 2 warps.
const traces::Trace& traced() {
  static const traces::Trace trace = [] {
    const std::string path = shflsim::test::data_path("accel_sim/version5.traceg");
    traces::LaunchShape shape;
    return traces::TraceFormats::of_file(path)->open(path, {}, &shape);
  }();
  return trace;
}

traces::Trace trace_of(Bytes* in) {
  const uint32_t kind = in->byte() % 8;
  const uint32_t seed = in->two();
  const uint32_t warps = 1 + in->byte() % 12;
  const uint32_t blocks = 1 + in->byte() % 4;
  return kind == 0 ? traced() : executed(seed, kind % 2 == 0, warps, blocks);
}

/// A value of the parameter; the smallest and the greatest are more frequent than the others.
std::string value_of(const model::Parameter& parameter, uint32_t number) {
  if (!parameter.choices.empty()) return parameter.choices[number % parameter.choices.size()];
  if (number < 0x2000) return std::to_string(parameter.least);
  if (number < 0x4000) return std::to_string(parameter.most);
  const uint64_t values = uint64_t{parameter.most} - parameter.least + 1;
  uint64_t value = parameter.least + number % values;
  while (!parameter.allows(value)) ++value;  // the greatest one is
  return std::to_string(value);
}

model::ConfigLayers machine_of(Bytes* in, std::string* said) {
  const std::vector<std::string> machines = model::shipped_configs();
  const std::string& machine = machines[in->byte() % machines.size()];
  model::ConfigLayers layers;
  layers.add_file(machine);
  *said = "--config " + machine;
  model::SmParams params;
  model::ParameterList list;
  params.list(list);
  while (!in->at_end()) {
    const model::Parameter& parameter = list.all()[in->two() % list.all().size()];
    const std::string setting = parameter.key + "=" + value_of(parameter, in->two());
    layers.add_setting(setting);
    *said += " --set " + setting;
  }
  return layers;
}

uint64_t sum(const model::StateCycles& states) {
  return std::accumulate(states.begin(), states.end(), uint64_t{0});
}

void check(const model::RunResult& result, const std::string& machine) {
  require(sum(result.states) == result.warp_cycles, "states do not add up: " + machine);
  uint64_t issued = 0;
  uint64_t charged = 0;
  for (const model::InstructionStats& each : result.instructions) {
    issued += each.issued;
    charged += sum(each.states);
  }
  require(issued == result.warp_instructions, "issues do not add up: " + machine);
  require(charged == result.warp_cycles, "instructions' states do not add up: " + machine);
  const uint64_t slots = uint64_t{result.cycles} * result.sms * model::kSubPartitions;
  require(issued - result.dual_issued <= slots, "more issues than cycles: " + machine);
  for (const model::UnitStats& unit : result.units)
    require(unit.busy <= result.cycles * unit.instances,
            unit.name + " is busier than time: " + machine);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes in(data, std::min(size, kMostBytes));
  const uint32_t sms = 1 + in.byte() % 2;
  const traces::Trace trace = trace_of(&in);
  std::string machine;
  const model::ConfigLayers layers = machine_of(&in, &machine);
  fuzz::try_input([&] {
    try {
      const model::RunResult result = model::run(trace, layers, sms);
      check(result, machine);
      const model::RunResult again = model::run(trace, layers, sms);
      require(sweep::bytes_of(result) == sweep::bytes_of(again), "not the same again: " + machine);
    } catch (const model::Deadlock& error) {
      require(false, machine + "\n" + error.what());
    }
  });
  return 0;
}
