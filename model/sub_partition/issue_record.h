// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/core/facts.h"
#include "model/dependence/dependence.h"
#include "model/register_file/register_file.h"

namespace shflsim::model {

/// What an instruction needs free in order to issue, once nothing of its own warp is in its way.
/// The math pipes come first, in the order of MathUnit.
enum class Way : uint8_t {
  kFmai,
  kFxu,
  kDouble,
  kHalf,
  kEither,
  kMultiply,
  kSpecial,      ///< the special function unit, where it is not behind the MIO queue
  kQueue,        ///< room in the MIO queue
  kGlobalQueue,  ///< the same, for global memory
  kNothing,
  kCount
};
constexpr unsigned kWays = static_cast<unsigned>(Way::kCount);

constexpr bool is_math(Way way) { return way <= Way::kMultiply; }

/// What the scheduler and the dispatch ask of a static instruction, packed.
struct IssueRecord {
  Way way = Way::kNothing;
  bool waits_behind_barrier = false;  ///< MIO and branch instructions, behind a deferred barrier
  bool is_awaited = false;            ///< math instructions: dependence is told when they are done
  RegisterFile::Plan reads;           ///< math instructions only
  uint32_t latency = 0;               ///< math instructions: cycles, issue to result
};

}  // namespace shflsim::model
