// SPDX-License-Identifier: Apache-2.0
#include "model/core/warp_state.h"

namespace shflsim::model {
namespace {

struct StateText {
  const char* name;
  const char* help;
};

// Names and meanings follow Nsight Compute's, in our words (docs/sources.md, "Stall reasons").
constexpr StateText kTexts[kWarpStates] = {
    {"drain", "has exited and waits for its last memory operations"},
    {"no_instruction", "waits for its next instruction, which is not in the instruction buffer"},
    {"branch_resolving", "waits for a taken branch's target"},
    {"imc_miss", "waits for a constant that its instruction has as an operand"},
    {"barrier", "waits for the other warps of its block, or for products of its group of warps"},
    {"membar", "waits for a memory fence"},
    {"wait", "sits out a fixed latency or the stall count"},
    {"long_scoreboard", "waits for a result or operand read of global or local memory"},
    {"short_scoreboard",
     "waits for a result or operand read of SHFL, shared memory, special functions or registers"},
    {"math_pipe_throttle", "needs a math pipe that is busy"},
    {"mio_throttle", "needs room in the full MIO queue"},
    {"lg_throttle", "needs room for one more global-memory instruction"},
    {"dispatch_stall", "is ready, but register banks are behind with their reads"},
    {"not_selected", "could issue, but another warp of the sub-partition did"},
    {"selected", "issues"},
    {"sleeping", "sleeps (NANOSLEEP)"},
    {"gmma", "waits before a product for the other warps of its group"},
};

}  // namespace

const char* warp_state_name(WarpState state) { return kTexts[static_cast<size_t>(state)].name; }
const char* warp_state_help(WarpState state) { return kTexts[static_cast<size_t>(state)].help; }

}  // namespace shflsim::model
