// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "isa/code/code.h"
#include "traces/accel_sim/traceg_instruction.h"

namespace shflsim::traces {

/// Instructions of a trace that the model times as something else, since it does not know them.
class RoughlyTimed {
 public:
  /// An instruction, its line, and how many warp instructions there were of it.
  void add(const TracegInstruction& instruction, const isa::CodeLine& line, uint64_t executions);
  /// A warning for each way of timing, with the opcodes and their counts.
  std::vector<std::string> warnings() const;

 private:
  static constexpr size_t kWays = 4;
  using Counts = std::vector<std::pair<std::string, uint64_t>>;
  std::array<Counts, kWays> counts_;  ///< by way, in the order of the code
};

}  // namespace shflsim::traces
