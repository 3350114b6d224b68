// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/core/cycle.h"

namespace shflsim::model {

/// First cycle after `now` in which the timer, in nanoseconds since the launch, is a multiple of
/// the smallest power of two above `nanoseconds`: NANOSLEEP ends then (measured: tests/data/timed,
/// naps).
inline Cycle end_of_nap(uint64_t nanoseconds, Cycle now, uint64_t clock_mhz) {
  constexpr uint64_t kShortestPeriod = 32;  // measured: steps of an H100's timer
  constexpr uint64_t kPerMicrosecond = 1000;
  uint64_t period = kShortestPeriod;
  while (period <= nanoseconds) period *= 2;
  const uint64_t time = now * kPerMicrosecond / clock_mhz;
  return (time / period + 1) * period * clock_mhz / kPerMicrosecond;
}

}  // namespace shflsim::model
