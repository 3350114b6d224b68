// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/use_code.h"

#include <algorithm>

#include "isa/check/checker.h"
#include "isa/dialects/schedule.h"
#include "isa/dialects/write_text.h"
#include "isa/machine/variables.h"
#include "tests/fuzz/harness.h"
#include "traces/region.h"

namespace shflsim::fuzz {
namespace {

constexpr size_t kMostKernels = 4;
constexpr size_t kMostInstructions = 4096;  ///< of a program that is executed

void execute(const isa::Program& program) {
  isa::DeviceMemory memory;
  isa::Launch launch;
  launch.block.x = 40;  // one whole warp and one partial warp
  launch.local_bytes = 1024;
  isa::add_variables(program, memory, &launch);
  const uint64_t buffer = memory.allocate(std::vector<uint8_t>(4096));
  launch.parameters.assign(64, 0);
  for (unsigned i = 0; i < sizeof buffer; ++i)
    launch.parameters[i] = static_cast<uint8_t>(buffer >> (8 * i));
  isa::MachineOptions options;
  options.step_limit = 512;
  isa::Checker checker(program);
  try_input([&] { isa::execute(program, launch, memory, checker, options); });
  checker.finish();
}

template <class Use>
void for_each_kernel(const char* dialect, std::string_view text, Use use) {
  const isa::Dialect& named = isa::Dialects::named(dialect);
  if (named.list != nullptr) try_input([&] { named.list({"input", std::string(text)}); });
  try_input([&] {
    const auto source = named.open({"input", std::string(text)});
    source->summaries();
    const std::vector<std::string> kernels = source->kernels();
    for (size_t i = 0; i < std::min(kernels.size(), kMostKernels); ++i)
      try_input([&] { use(*source, kernels[i]); });
  });
}

}  // namespace

void use_program(const isa::Program& program) {
  for (const isa::Writer& writer : isa::writers()) writer.write({program});
  isa::code_of(program);
  isa::Program scheduled = program;
  isa::pad_bundles(&scheduled);
  isa::choose_control(&scheduled);
  if (program.code.size() <= kMostInstructions) execute(program);
}

void use_text(const char* dialect, std::string_view text) {
  for_each_kernel(dialect, text, [](const isa::Source& source, const std::string& kernel) {
    use_program(source.program(kernel));
  });
}

void use_timed_text(const char* dialect, std::string_view text) {
  for_each_kernel(dialect, text, [](const isa::Source& source, const std::string& kernel) {
    const isa::Code code = source.code(kernel);
    traces::RegionOptions options;
    options.warps = 2;
    traces::region_trace(code, options);
  });
}

}  // namespace shflsim::fuzz
