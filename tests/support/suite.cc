// SPDX-License-Identifier: Apache-2.0
#include "tests/support/suite.h"

#include <cstring>

#include "isa/dialects/source.h"
#include "isa/machine/machine.h"
#include "tests/support/files.h"
#include "traces/recorder.h"

namespace shflsim::test {

const std::vector<std::string>& suite_names() {
  static const std::vector<std::string> names = {
      "atomic_aggregate", "bitonic_sort",     "block_reduce",   "block_scan",       "fft_32",
      "layernorm_128",    "quad_derivatives", "random_gather",  "reduce_butterfly", "reduce_down",
      "scan_exclusive",   "scan_inclusive",   "scan_reverse",   "segmented_widths", "softmax_32",
      "stencil_3",        "stencil_9",        "transpose_32x32"};
  return names;
}

const std::vector<std::string>& single_names() {
  static const std::vector<std::string> names = {
      "quad_ddx",    "quad_ddy",         "quad_smear0",    "quad_smear1",    "quad_smear2",
      "quad_smear3", "reduce_butterfly", "scan_exclusive", "scan_inclusive", "scan_reverse"};
  return names;
}

traces::Trace suite_trace(const std::string& name, unsigned warps) {
  return shipped_trace("traces/suite/" + name + ".sass", warps);
}

traces::Trace shipped_trace(const std::string& path, unsigned warps) {
  const std::string file = source_path(path);
  const isa::Program program = isa::find_kernel(*isa::open_source(file), "", file);
  isa::DeviceMemory memory;
  isa::Launch launch;
  launch.block.x = warps * isa::kLanes;
  const uint64_t counter = memory.allocate(std::vector<uint8_t>(4));
  launch.parameters.resize(sizeof counter);
  std::memcpy(launch.parameters.data(), &counter, sizeof counter);
  if (program.symbols.count("Rvalue") != 0) {
    isa::InitialRegister value{program.symbols.at("Rvalue"), {}};
    for (uint32_t thread = 0; thread < launch.block.x; ++thread) value.words.push_back(7 * thread);
    launch.registers.push_back(value);
  }
  isa::Outcome outcome;
  return traces::record(program, launch, memory, {}, &outcome);
}

traces::Trace kernel_trace(const std::string& file, const std::string& kernel) {
  const isa::Program program =
      isa::find_kernel(*isa::open_source(source_path("traces/" + file)), kernel, file);
  isa::DeviceMemory memory;
  const uint64_t buffers[] = {memory.allocate(std::vector<uint8_t>(4096)),
                              memory.allocate(std::vector<uint8_t>(4096))};
  const uint32_t words = 1024;
  isa::Launch launch;
  launch.grid.x = 4;
  launch.block.x = 256;
  launch.constants = program.constants;
  launch.parameters.resize(sizeof buffers + sizeof words);
  std::memcpy(launch.parameters.data(), buffers, sizeof buffers);
  std::memcpy(launch.parameters.data() + sizeof buffers, &words, sizeof words);
  isa::Outcome outcome;
  return traces::record(program, launch, memory, {}, &outcome);
}

}  // namespace shflsim::test
