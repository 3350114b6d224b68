// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

namespace shflsim::model {

/// A clock cycle of the SMs, counted from 0, or a number of them.
using Cycle = uint64_t;

/// The time of a unit that has nothing to do.
constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

/// The number of cycles from `end` to before `until`.
constexpr Cycle cycles_behind(Cycle end, Cycle until) { return until > end ? until - end : 0; }

/// Sub-partitions of an SM, each with a warp scheduler that selects at most one warp per cycle.
constexpr unsigned kSubPartitions = 4;

}  // namespace shflsim::model
