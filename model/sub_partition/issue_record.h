// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/core/facts.h"
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
  kSpecial,      ///< the special function unit, where it is not behind the MIO queue
  kQueue,        ///< room in the MIO queue
  kGlobalQueue,  ///< the same, for global memory
  kNothing,
  kCount
};
constexpr unsigned kWays = static_cast<unsigned>(Way::kCount);

constexpr bool is_math(Way way) { return way <= Way::kEither; }

/// What the scheduler asks of a static instruction cycle by cycle, packed.
struct IssueRecord {
  Way way = Way::kNothing;
  bool waits_behind_barrier = false;  ///< MIO and branch instructions, behind a deferred barrier
  uint16_t banks = 0;                 ///< math instructions, bit n: reads a register of bank n
};

/// Of each instruction. `special_queued`: special functions wait in the MIO queue.
std::vector<IssueRecord> issue_records(const std::vector<Facts>& facts,
                                       const RegisterFile& register_file, bool special_queued);

}  // namespace shflsim::model
