// SPDX-License-Identifier: Apache-2.0
// Cooperative launches: blocks that wait for each other at the grid's barrier. An H100 gave the
// same words for both kernels of grid.sm90.cubin.
#include <gtest/gtest.h>

#include <cstring>

#include "isa/base/input_error.h"
#include "isa/dialects/source.h"
#include "tests/isa/machine_support.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace cooperative_test {

constexpr uint32_t kBlocks = 4, kThreads = 256, kCount = kBlocks * kThreads;

uint32_t input(uint32_t i) { return i * 2654435761u; }

struct GridLaunch {
  GridLaunch(const std::string& arch, const std::string& kernel)
      : program(find_kernel(
            *open_source(test::data_path("cooperative/grid." + arch + ".cubin.gz")), kernel, "")) {
    std::vector<uint8_t> in(4 * kCount);
    for (uint32_t i = 0; i < kCount; ++i) {
      const uint32_t word = input(i);
      std::memcpy(in.data() + size_t{4} * i, &word, 4);
    }
    const uint64_t from = memory.allocate(in);
    out = memory.allocate(std::vector<uint8_t>(4 * kCount));
    launch.parameters.resize(20);
    std::memcpy(launch.parameters.data(), &from, 8);
    std::memcpy(launch.parameters.data() + 8, &out, 8);
    std::memcpy(launch.parameters.data() + 16, &kCount, 4);
    launch.grid.x = kBlocks;
    launch.block.x = kThreads;
    launch.is_cooperative = true;
  }
  void run() { execute(program, launch, memory, witness); }
  uint32_t word(uint32_t i) const {
    uint32_t value = 0;
    std::memcpy(&value, memory.bytes(out).data() + size_t{4} * i, 4);
    return value;
  }

  Program program;
  Launch launch;
  DeviceMemory memory;
  Witness witness;
  uint64_t out = 0;
};

class Cooperative : public testing::TestWithParam<const char*> {};

TEST_P(Cooperative, BlocksWaitForEachOtherAtTheBarrierOfTheGrid) {
  GridLaunch one(GetParam(), "grid_scan");
  one.run();
  uint32_t sum = 0;
  for (uint32_t i = 0; i < kCount; ++i) {
    sum += input(i);
    ASSERT_EQ(one.word(i), sum) << i;
  }
}

TEST_P(Cooperative, BlocksArriveAndWaitLater) {
  GridLaunch one(GetParam(), "arrive_and_wait");
  one.run();
  for (uint32_t i = 0; i < kCount; ++i) {
    const uint32_t other = (i + kCount / 2) % kCount;
    ASSERT_EQ(one.word(i), input(i * 7 % kCount) + (input(other) ^ (other / kThreads)) + kBlocks)
        << i;
  }
}

TEST_P(Cooperative, OtherLaunchesOfSuchKernelsAreRefusedByName) {
  GridLaunch one(GetParam(), "grid_scan");
  one.launch.is_cooperative = false;
  try {
    one.run();
    FAIL() << "has run";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("expected a cooperative launch"), std::string::npos)
        << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(OfEachArchitecture, Cooperative,
                         testing::Values("sm75", "sm80", "sm90", "sm100", "sm120"));

TEST(CooperativeOfSm50, IsRefused) {
  Experiment one({"NOP"});
  one.launch.is_cooperative = true;
  EXPECT_THROW(one.run(), InputError);
}

}  // namespace cooperative_test
}  // namespace shflsim::isa
