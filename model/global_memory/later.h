// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/core/cycle.h"

namespace shflsim::model {

/// A warp may exit this many cycles before the L2 accepts its last write, which waits on the way
/// (measured: soft; drain in the launches of tests/data/h100/2026-11-26).
constexpr Cycle kAhead = 512;

inline Cycle later_by(Cycle time, int cycles) {
  return cycles < 0 ? time - static_cast<Cycle>(-cycles) : time + static_cast<Cycle>(cycles);
}

/// Further latency of a load of several words per lane, measured on an H200 with one lane and with
/// lanes on one word.
inline Cycle later_by(uint32_t bytes) {
  if (bytes <= 4) return 0;
  return bytes <= 8 ? 1 : 4;
}

}  // namespace shflsim::model
