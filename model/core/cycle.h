// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

namespace shflsim::model {

/// A clock cycle of the SMs, counted from 0, or a number of them.
using Cycle = uint64_t;

/// Where nothing is due.
constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

/// Of what lasts until before `until`: the cycles from `end` on.
constexpr Cycle cycles_behind(Cycle end, Cycle until) { return until > end ? until - end : 0; }

/// Sub-partitions of an SM: each has a warp scheduler, which selects at most one warp a cycle.
constexpr unsigned kSubPartitions = 4;

}  // namespace shflsim::model
