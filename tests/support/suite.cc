// SPDX-License-Identifier: Apache-2.0
#include "tests/support/suite.h"

#include <cstring>

#include "isa/machine/machine.h"
#include "isa/reader/source.h"
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

traces::Trace suite_trace(const std::string& name) {
  const std::string file = source_path("traces/suite/" + name + ".sass");
  const isa::Program program = isa::find_kernel(*isa::open_source(file), "", file);
  isa::DeviceMemory memory;
  isa::Launch launch;
  launch.block.x = isa::kLanes;
  const uint64_t counter = memory.allocate(std::vector<uint8_t>(4));
  launch.parameters.resize(sizeof counter);
  std::memcpy(launch.parameters.data(), &counter, sizeof counter);
  if (program.symbols.count("Rvalue") != 0) {
    isa::InitialRegister value{program.symbols.at("Rvalue"), {}};
    for (uint32_t lane = 0; lane < isa::kLanes; ++lane) value.words.push_back(7 * lane);
    launch.registers.push_back(value);
  }
  isa::Outcome outcome;
  return traces::record(program, launch, memory, {}, &outcome);
}

}  // namespace shflsim::test
