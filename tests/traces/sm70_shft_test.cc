// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/isa/sm70/random_program.h"
#include "tests/isa/sm70/support.h"
#include "tests/traces/shft_support.h"
#include "traces/recorder.h"
#include "traces/shft/file_recorder.h"
#include "traces/shft/reader.h"

namespace shflsim::traces {
namespace sm70_shft_test {

/// Compares a trace in memory, which `run` times, with one in a file, which `run` replays.
TEST(ShftOfSm80, keeps_of_random_programs_what_was_recorded) {
  isa::Launch launch;
  launch.grid = {2, 1, 1};
  launch.block = {48, 1, 1};
  for (uint32_t seed = 0; seed < 100; ++seed) {
    const isa::Program program = isa::assemble_sm70(
        isa::Arch::kSm80, isa::lines_of(isa::random_tree(seed, isa::Arch::kSm80)));
    const TemporaryFile file("sm70_random" + std::to_string(seed) + ".shft");
    isa::DeviceMemory memory;
    isa::Outcome outcome;
    const Trace trace = record(program, launch, memory, {}, &outcome);
    record_to_file(file.path, program, launch, memory, {});
    LaunchShape shape;
    ASSERT_EQ(described(open_shft(file.path, &shape)), described(trace)) << "program " << seed;
  }
}

}  // namespace sm70_shft_test
}  // namespace shflsim::traces
