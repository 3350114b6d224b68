// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/core/cycle.h"

namespace shflsim::model {

/// Data that a slice of the L2 gets from the DRAM. The slice writes them before an SM gets them,
/// and other writes may delay that.
struct AwaitedFill {
  static constexpr uint32_t kNone = 0xFFFFFFFFu;

  uint32_t slice = kNone;  ///< kNone: no data are awaited
  Cycle comes = 0;         ///< cycle in which the data reach the slice
};

}  // namespace shflsim::model
