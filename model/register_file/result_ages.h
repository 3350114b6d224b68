// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "model/core/cycle.h"

namespace shflsim::model {

/// When each register of a warp slot was last written by a math instruction, and in which pipe: two
/// bytes a register, so that the registers of a chip's warps take little of the host's caches.
/// Times are on the clock of issue (OperandWindow), of which the stamps have the low bits.
class ResultAges {
 public:
  /// From this age on, ages are not exact. An OperandWindow tells only younger results apart.
  static constexpr Cycle kOld = 32;

  ResultAges() { stamps_.fill(stamp(Cycle{0} - kOld)); }

  /// Must be called before the functions below, with the same clock. It never goes back.
  void advance(Cycle clock) {
    if (clock - swept_ >= kSweep) sweep(clock);
  }
  /// Cycles of issue since the register's instruction issued.
  unsigned of(uint8_t index, Cycle clock) const { return since(stamps_[index], clock) >> 1; }
  /// Twice the cycles by which the age is above `least`, or one more; beyond all other values if it
  /// is below.
  uint16_t twice_above(unsigned least, uint8_t index, Cycle clock) const {
    return static_cast<uint16_t>(stamp(clock - least) - stamps_[index]);
  }
  bool is_by_fxu(uint8_t index) const { return (stamps_[index] & 1u) != 0; }
  void write(unsigned first, unsigned count, bool by_fxu, Cycle clock) {
    const auto all = static_cast<uint16_t>(stamp(clock) - (by_fxu ? 1 : 0));
    if (count == 1)
      stamps_[first] = all;
    else
      std::fill_n(stamps_.begin() + first, count, all);
  }

 private:
  static constexpr Cycle kSweep = 8192;  ///< a quarter of the times that stamps distinguish

  static constexpr uint16_t stamp(Cycle clock) { return static_cast<uint16_t>(2 * clock); }
  static constexpr uint16_t since(uint16_t stamped, Cycle clock) {
    return static_cast<uint16_t>(stamp(clock) - stamped);
  }
  /// Keeps old stamps from being taken for later ones. What was not old at the last sweep was
  /// written less than kSweep cycles after it.
  [[gnu::noinline]] void sweep(Cycle clock) {
    const bool are_all_old = clock - swept_ >= kSweep + kOld;
    for (uint16_t& each : stamps_) {
      if (are_all_old || since(each, clock) > stamp(kOld)) each = stamp(clock - kOld);
    }
    swept_ = clock;
  }

  std::array<uint16_t, 256> stamps_{};  ///< twice the clock, minus 1 in the fixed-point pipe
  Cycle swept_ = 0;
};

}  // namespace shflsim::model
