// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

namespace shflsim::model {

/// A clock cycle of the SMs, counted from 0, or a number of them.
using Cycle = uint64_t;

/// Where nothing is due.
constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

/// Sub-partitions of an SM: each has a warp scheduler, which selects at most one warp a cycle.
constexpr unsigned kSubPartitions = 4;

}  // namespace shflsim::model
