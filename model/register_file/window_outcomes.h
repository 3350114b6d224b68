// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace shflsim::model {

/// What the reads of an instruction do to an OperandWindow, which is often in one of few states.
struct alignas(64) WindowOutcome {
  // The reads, and the state before them.
  uint64_t number = ~uint64_t{0};
  uint64_t reads = 0;
  uint64_t before = 0;   ///< their latches in taken_
  uint32_t stopped = 0;  ///< stops_
  // reads_ after them, and what is added to the other members.
  uint64_t left = 0;
  uint64_t urgent = 0;
  uint32_t stops = 0;
  unsigned last = 0;  ///< cycles to the last of them
};

/// The last outcomes of the windows of the SMs that run in one thread. All have the same
/// parameters.
class WindowOutcomes {
 public:
  /// The place of the outcome of reads and states with this sum.
  WindowOutcome& of(uint64_t sum) { return all_[sum * 0x9E3779B97F4A7C15 >> (64 - kBits)]; }

 private:
  static constexpr unsigned kBits = 10;  ///< few outcomes are not remembered then

  std::vector<WindowOutcome> all_ = std::vector<WindowOutcome>(size_t{1} << kBits);
};

}  // namespace shflsim::model
