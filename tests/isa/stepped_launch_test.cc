// SPDX-License-Identifier: Apache-2.0
// A launch that is executed step by step and then finished is as one that is executed at once.
#include "isa/machine/stepped_launch.h"
#include "isa/machine/block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "isa/dialects/source.h"
#include "isa/machine/variables.h"
#include "tests/isa/machine_support.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace stepped_launch_test {

constexpr uint32_t kBlocks = 4, kThreads = 256, kCount = kBlocks * kThreads;

/// A kernel (const uint32_t* in, uint32_t* out, int n) with its memory.
struct Kernel {
  Kernel(const std::string& file, const std::string& name, bool is_cooperative)
      : program(find_kernel(*open_source(test::data_path(file)), name, file)) {
    launch.grid.x = kBlocks;
    launch.block.x = kThreads;
    launch.is_cooperative = is_cooperative;
    launch.local_bytes = std::max(launch.local_bytes, program.local_bytes);
    add_variables(program, memory, &launch);
    std::vector<uint8_t> in(4 * kCount);
    for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint8_t>(i * 37 >> 3);
    out = memory.allocate(std::vector<uint8_t>(in.size()));
    const uint64_t arguments[] = {memory.allocate(in), out, kCount};
    launch.parameters.resize(20);
    std::memcpy(launch.parameters.data(), arguments, launch.parameters.size());
  }

  std::vector<uint8_t> executed() {
    execute(program, launch, memory, witness);
    return memory.bytes(out);
  }
  /// With `steps` of the first warps of some blocks done one by one.
  std::vector<uint8_t> finished(const std::vector<uint32_t>& blocks, unsigned steps) {
    const MachineOptions options;
    SteppedLaunch stepped(program, launch, memory, witness, options);
    SmState& sm = stepped.add_sm({witness});
    for (const uint32_t index : blocks) {
      stepped.start(index, sm);
      Block& block = *stepped.running(index);
      for (unsigned i = 0; i < steps && !stepped.next(block, 0).waits; ++i) stepped.step(block, 0);
    }
    stepped.finish();
    return memory.bytes(out);
  }

  Program program;
  Launch launch;
  DeviceMemory memory;
  Witness witness;
  uint64_t out = 0;
};

void expect_the_same(const std::string& file, const std::string& name, bool is_cooperative) {
  const auto kernel = [&] { return Kernel(file, name, is_cooperative); };
  const std::vector<uint8_t> wanted = kernel().executed();
  EXPECT_NE(wanted, std::vector<uint8_t>(wanted.size()));
  EXPECT_EQ(kernel().finished({}, 0), wanted) << "nothing was started";
  EXPECT_EQ(kernel().finished({2}, 0), wanted) << "one block was started";
  EXPECT_EQ(kernel().finished({3, 1}, 10), wanted) << "two blocks have come some way";
  EXPECT_EQ(kernel().finished({0, 1, 2, 3}, 10), wanted) << "all have";
}

TEST(SteppedLaunch, FinishesBlocksOneAfterAnother) {
  expect_the_same("corpus/memory.cubin.gz", "k_red_shared_max_s32", false);
}

/// Blocks that have not started are awaited by those that have.
TEST(SteppedLaunch, FinishesBlocksThatWaitForEachOtherTogether) {
  for (const char* arch : {"sm75", "sm90"})
    expect_the_same("cooperative/grid." + std::string(arch) + ".cubin.gz", "grid_scan", true);
}

}  // namespace stepped_launch_test
}  // namespace shflsim::isa
