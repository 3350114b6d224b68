// SPDX-License-Identifier: Apache-2.0
// Warps of a block that meet at different barriers of the block.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "isa/machine/machine.h"
#include "model/run.h"
#include "tests/support/code_trace.h"
#include "tests/support/layers.h"
#include "traces/recorder.h"
#include "traces/shft/reader.h"
#include "traces/shft/writer.h"

namespace shflsim::model {
namespace named_barriers_test {

/// The first threads go to A, the others through a loop first.
std::string code_of(const std::string& first_threads, const std::string& late,
                    const std::string& early, const std::string& before = "") {
  return before +
         "     S2R R0, SR_TID.X\n"
         "     ISETP.LT.AND P0, PT, R0, " +
         first_threads +
         ", PT\n"
         "     MOV32I R1, 0x100\n"
         "     @P0 BRA A\n"
         "L:   IADD R1, R1, -0x1\n"
         "     ISETP.GT.AND P1, PT, R1, RZ, PT\n"
         "     @P1 BRA L\n"
         "     " +
         late +
         "\n"
         "     EXIT\n"
         "A:   " +
         early +
         "\n"
         "     EXIT\n";
}

const std::string kArrives = code_of("0x20", "BAR.SYNC 0x1, 0x40", "BAR.ARV 0x1, 0x40");
const std::string kNamed = code_of("0x40", "BAR.SYNC 0x2, 0x40", "BAR.SYNC 0x1, 0x40");
/// The same code; each warp has its barrier's number in a register.
const std::string kNumbered = code_of("0x40", "BAR.SYNC R3, 0x40", "BAR.SYNC R3, 0x40",
                                      "S2R R2, SR_TID.X\nSHR.U32 R2, R2, 0x6\nIADD R3, R2, 0x1\n");

traces::Trace executed(const std::string& code, uint32_t warps) {
  const isa::Program program = test::program_of(code);
  isa::Launch launch;
  launch.block.x = warps * isa::kLanes;
  isa::DeviceMemory memory;
  isa::Outcome outcome;
  return traces::record(program, launch, memory, {}, &outcome);
}

traces::Trace from_file(const traces::Trace& trace) {
  const std::string path = testing::TempDir() + "barriers." + std::to_string(getpid()) + ".shft";
  traces::LaunchShape shape;
  shape.block.x = trace.threads_per_block;
  traces::write_shft(path, trace, shape);
  traces::Trace read = traces::open_shft(path, &shape);
  std::filesystem::remove(path);  // the trace keeps it open
  return read;
}

std::vector<Cycle> ends_of(const traces::Trace& trace, const std::string& machine) {
  const ConfigLayers layers = test::layers_of(machine);
  std::vector<Cycle> ends;
  for (const WarpStats& warp : run(trace, layers).warps) ends.push_back(warp.finish);
  return ends;
}

TEST(NamedBarriers, A22WarpsGoOnFromTheirOwn) {
  const traces::Trace trace = executed(kNamed, 4);
  EXPECT_EQ(ends_of(trace, "gm107"), (std::vector<Cycle>{66, 66, 10016, 10016}));
  EXPECT_EQ(ends_of(trace, "gh100"), (std::vector<Cycle>{111, 111, 6753, 6753}));
}

TEST(NamedBarriers, A22AnArrivalDoesNotStopItsWarp) {
  const traces::Trace trace = executed(kArrives, 2);
  EXPECT_EQ(ends_of(trace, "gm107"), (std::vector<Cycle>{62, 10012}));
  EXPECT_EQ(ends_of(trace, "gh100"), (std::vector<Cycle>{96, 6749}));
}

TEST(NamedBarriers, A22WhatRegistersSayIsInTheTraceAndInItsFile) {
  const traces::Trace trace = executed(kNumbered, 4);
  const std::vector<Cycle> ends = ends_of(trace, "gm107");
  EXPECT_EQ(ends, (std::vector<Cycle>{97, 97, 10047, 10047}));
  EXPECT_EQ(ends_of(from_file(trace), "gm107"), ends);
  EXPECT_EQ(ends_of(from_file(executed(kNamed, 4)), "gm107"),
            ends_of(executed(kNamed, 4), "gm107"));
}

/// The guard keeps half of the block from its barrier.
TEST(NamedBarriers, A22ABarrierThatNoLaneExecutesIsNone) {
  traces::Trace trace = executed(kNamed, 4);
  const std::vector<Cycle> ends = ends_of(trace, "gm107");
  for (unsigned w = 2; w < 4; ++w) (trace.warps[w].steps.end() - 2)->lanes = 0;
  const std::vector<Cycle> now = ends_of(trace, "gm107");
  EXPECT_EQ(now[0], ends[0]);
  EXPECT_LT(now[2], ends[2]);
}

}  // namespace named_barriers_test
}  // namespace shflsim::model
