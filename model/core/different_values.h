// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "traces/trace.h"

namespace shflsim::model {

/// The number of different values in these lanes: 1 to 32, or 0 without lanes.
inline uint32_t different_values(const traces::LaneAddresses& values, isa::LaneMask lanes) {
  uint32_t found = 0;
  while (lanes != 0) {
    const uint64_t value = values[static_cast<unsigned>(__builtin_ctz(lanes))];
    for (unsigned lane = 0; lane < isa::kLanes; ++lane) {
      if (values[lane] == value) lanes &= ~(isa::LaneMask{1} << lane);
    }
    ++found;
  }
  return found;
}

}  // namespace shflsim::model
