// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace shflsim::model {

/// The states of a resident warp, with Nsight Compute's names. A warp is in exactly one per cycle;
/// if several apply, in the first by order of precedence (docs/sources.md, "Stall reasons").
enum class WarpState : uint8_t {
  kDrain,
  kNoInstruction,
  kBranchResolving,
  kImcMiss,
  kBarrier,
  kMembar,
  kWait,
  kLongScoreboard,
  kShortScoreboard,
  kMathPipeThrottle,
  kMioThrottle,
  kLgThrottle,
  kDispatchStall,
  kNotSelected,
  kSelected,
  kSleeping,
  kGmma,
  kCount
};
constexpr size_t kWarpStates = static_cast<size_t>(WarpState::kCount);
const char* warp_state_name(WarpState state);  ///< "short_scoreboard", "selected", ...
const char* warp_state_help(WarpState state);  ///< one sentence
using StateCycles = std::array<uint64_t, kWarpStates>;

}  // namespace shflsim::model
