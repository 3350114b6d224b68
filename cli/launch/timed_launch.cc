// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/timed_launch.h"

#include <cstring>

#include "cli/options/arguments.h"
#include "isa/machine/variables.h"
#include "traces/live_launch.h"

namespace shflsim::cli {
namespace {

constexpr uint32_t kElements = 1024;  // n
constexpr uint32_t kRepetitions = 4;
constexpr uint32_t kFrameWords = 32 * 1024;  // 32-bit words of a buffer, for kernels with notes
constexpr uint32_t kSubPartitions = 4;

/// A device buffer of hashed words, each below `bound`.
Argument input(uint32_t words, uint32_t mask, isa::DeviceMemory& memory) {
  std::vector<uint8_t> bytes(words * sizeof(uint32_t));
  for (uint32_t i = 0; i < words; ++i) {
    const uint32_t word = hashed(i) & mask;
    std::memcpy(bytes.data() + i * sizeof word, &word, sizeof word);
  }
  return pointer_to(memory.allocate(bytes), "in");
}

Argument buffer(uint32_t words, uint8_t value, isa::DeviceMemory& memory) {
  return pointer_to(memory.allocate(std::vector<uint8_t>(words * sizeof(uint32_t), value)), "out");
}

Argument number(uint32_t value) {
  std::vector<uint8_t> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return {"u32", bytes, {}};
}

std::vector<Argument> arguments_of(const TimingRow& row, isa::DeviceMemory& memory) {
  constexpr uint8_t kUnwritten = 0xcd;
  constexpr uint32_t kPositive = 0x3FFFFFFF;
  if (!row.has_note)
    return {input(kElements, ~0u, memory), buffer(kElements, kUnwritten, memory), number(kElements),
            buffer(2 * row.warps, 0, memory), number(kRepetitions)};
  return {input(kFrameWords, kPositive, memory), buffer(kFrameWords, 0, memory),
          buffer(kFrameWords, 0, memory), number(row.one_sub_partition ? 1 : 0)};
}

/// A launch, and what it is executed with.
struct TimedLaunch {
  isa::DeviceMemory memory;
  isa::Launch launch;
  traces::Trace trace;
};

}  // namespace

std::shared_ptr<const traces::Trace> timed_launch(const isa::Program& program,
                                                  const TimingRow& row) {
  const auto timed = std::make_shared<TimedLaunch>();
  isa::Launch& launch = timed->launch;
  launch.block.x = row.warps * isa::kLanes * (row.one_sub_partition ? kSubPartitions : 1);
  add_variables(program, timed->memory, &launch);
  std::vector<Argument> arguments = arguments_of(row, timed->memory);
  const size_t expected = program.parameters.size();
  if (row.has_note && expected != 0 && expected < arguments.size()) arguments.resize(expected);
  launch.parameters = parameter_area(arguments, program);
  isa::MachineOptions options;
  options.has_unfilled_words = true;
  timed->trace = traces::live_trace(
      program, launch,
      std::make_shared<traces::LiveLaunch>(program, launch, timed->memory, options));
  return {timed, &timed->trace};
}

}  // namespace shflsim::cli
