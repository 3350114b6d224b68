// SPDX-License-Identifier: Apache-2.0
// Cycles in which nothing can change are left out. That must not show: the warps of a sub-partition
// are charged the same states whether the rest of the SM keeps its clock going or is idle.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "model/run.h"
#include "tests/support/code_trace.h"
#include "tests/support/layers.h"

namespace shflsim::model {
namespace pipeline_skip_test {

constexpr unsigned kWarps = 5 * kSubPartitions;
constexpr unsigned kRandom = 60;  ///< instructions of the warps of sub-partition 0
constexpr unsigned kBusy = 900;   ///< of a warp of sub-partition 1 that issues nearly every cycle

std::string random_code(unsigned seed, bool has_control) {
  const char* const kLines[] = {
      "FFMA R8, R12, R16, R20",
      "FFMA R9, R9, R10, R11",
      "IADD3 R10, R8, R9, R13",
      "DADD R12, R14, R16",
      "MUFU.RCP R11, R8",
      "MOV R13, R9",
      "SHFL.BFLY PT, R14, R8, 1, 0x1f",
      "FFMA R15, R11, R7, R3",
      "ISETP.LT.AND P1, PT, R8, R9, PT",
  };
  const char* const kControls[] = {"",         " &req={0} ?trans1", " &wr=0 ?trans2",
                                   " ?trans4", " &rd=1 ?trans1",    " &req={0,1} ?WAIT5_END_GROUP",
                                   " ?floxy2", " ?trans11"};
  std::mt19937 random(seed);
  std::string code;
  for (unsigned i = 0; i < kRandom; ++i) {
    code += kLines[random() % std::size(kLines)];
    if (has_control) code += kControls[random() % std::size(kControls)];
    code += "\n";
  }
  return code;
}

/// Warps of sub-partition 0 execute the random code; if `busy`, one of sub-partition 1 executes a
/// long sequence of additions; the others execute nothing.
traces::Trace trace_of(const std::string& code, bool busy) {
  std::string text = code;
  for (unsigned i = 0; i < kBusy; ++i) text += "FADD R1, R1, R1\n";
  text += "EXIT\n";
  traces::Trace trace;
  trace.code = test::code_of(text);
  trace.threads_per_block = kWarps * isa::kLanes;
  const auto exit = static_cast<uint32_t>(trace.code.lines.size() - 1);
  for (unsigned w = 0; w < kWarps; ++w) {
    traces::WarpTrace warp;
    warp.warp = w;
    const bool is_random = w % kSubPartitions == 0;
    const uint32_t first = is_random ? 0 : kRandom;
    const uint32_t last = is_random ? kRandom : w == 1 && busy ? exit : kRandom;
    for (uint32_t i = first; i < last; ++i)
      warp.steps.push_back({i, isa::kAllLanes, traces::Step::kNone});
    warp.steps.push_back({exit, isa::kAllLanes, traces::Step::kNone});
    trace.warps.push_back(warp);
  }
  return trace;
}

RunResult run_beside(const std::string& code, bool busy, const std::string& setting) {
  const ConfigLayers layers = test::layers_of("gm107", {setting});
  return run(trace_of(code, busy), layers);
}

void expect_the_same(const std::string& code, const std::string& setting) {
  const RunResult idle = run_beside(code, false, setting);
  const RunResult busy = run_beside(code, true, setting);
  for (size_t i = 0; i < kRandom; ++i) {
    EXPECT_EQ(idle.instructions[i].states, busy.instructions[i].states)
        << "instruction " << i << ", " << setting;
  }
  for (size_t w = 0; w < kWarps; w += kSubPartitions)
    EXPECT_EQ(idle.warps[w].finish, busy.warps[w].finish) << "warp " << w << ", " << setting;
}

TEST(PipelineSkip, IdleCyclesLeftOutDoNotShow) {
  const char* const kSettings[] = {"register_file.late_reads=collectors",
                                   "register_file.late_reads=freeze", "special_function.queued=1",
                                   "mio.queue_depth=2"};
  for (unsigned seed = 0; seed < 3; ++seed) {
    for (const bool has_control : {false, true}) {
      const std::string code = random_code(seed, has_control);
      for (const char* setting : kSettings) expect_the_same(code, setting);
    }
  }
}

}  // namespace pipeline_skip_test
}  // namespace shflsim::model
