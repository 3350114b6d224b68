// SPDX-License-Identifier: Apache-2.0
// Clock reads in cubins of ptxas and in PTX: what lies between them, by the model's own clock.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/cli/program.h"
#include "tests/support/files.h"

namespace shflsim::cli {
namespace nvcc_clock_test {

/// What a kernel of clock.ptx writes: its last clock read less its first.
uint64_t between_reads(const std::string& file, const std::string& kernel) {
  const std::string out = testing::TempDir() + "nvcc_clock_" + kernel + ".bin";
  const ProgramRun run = run_program("run " + test::data_path("nvcc/" + file) + " --kernel " +
                                     kernel + " --block 32 --arg fill:16:00 --save 0:" + out);
  EXPECT_EQ(run.status, 0) << run.errors;
  uint64_t between = 0;
  std::memcpy(&between, test::read_file(out).data(), sizeof between);
  return between;
}

class NvccClockOf : public testing::TestWithParam<const char*> {};

TEST_P(NvccClockOf, CountsTheCyclesOfAChain) {
  const uint64_t sixteen = between_reads(GetParam(), "sixteen");
  const uint64_t more = between_reads(GetParam(), "thirty_two") - sixteen;
  EXPECT_GE(more, 16u * 20) << "sixteen shuffles, one behind the other";
  EXPECT_LE(more, 16u * 30);
  EXPECT_GE(sixteen, more - 32) << "a read overlaps one shuffle";
}

TEST_P(NvccClockOf, CountsNanosecondsInSteps) {
  constexpr uint64_t kStep = 32;  // measured: an H100
  const uint64_t between = between_reads(GetParam(), "timer");
  EXPECT_GE(between, 8 * kStep);
  EXPECT_EQ(between % kStep, 0u);
}

INSTANTIATE_TEST_SUITE_P(Files, NvccClockOf,
                         testing::Values("clock.sm75.cubin.gz", "clock.sm80.cubin.gz",
                                         "clock.sm90.cubin.gz", "clock.sm120.cubin.gz",
                                         "clock.ptx"),
                         [](const auto& tested) {
                           const std::string name = tested.param;
                           const size_t at = name.find('.') + 1;
                           return name.substr(at, name.find('.', at) - at);
                         });

}  // namespace nvcc_clock_test
}  // namespace shflsim::cli
