// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "model/core/cycle.h"

namespace shflsim::model {

/// A pipe that is held for some cycles by each operation and returns in order. The shuffle unit and
/// shared memory may have one each or share one.
struct InOrderPipe {
  Cycle free = 0;  ///< first cycle in which the next operation may start
  Cycle last_return = 0;

  /// Takes an operation at `now` that holds the pipe for `hold` cycles and has its result `latency`
  /// cycles after the last of them; returns the cycle of the result.
  Cycle take(Cycle now, uint32_t hold, uint32_t latency) {
    free = now + hold;
    last_return = std::max(last_return, now + hold - 1 + latency);
    return last_return;
  }
};

}  // namespace shflsim::model
