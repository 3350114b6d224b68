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

/// Instructions of a trace that the model does not know and times as other instructions.
class RoughlyTimed {
 public:
  /// Adds an instruction with its line and the number of its warp instructions.
  void add(const TracegInstruction& instruction, const isa::CodeLine& line, uint64_t executions);
  /// A warning for each kind of timing, with the opcodes and their counts.
  std::vector<std::string> warnings() const;

 private:
  static constexpr size_t kWays = 6;
  using Counts = std::vector<std::pair<std::string, uint64_t>>;
  std::array<Counts, kWays> counts_;  ///< by kind of timing, in the order of the code
};

}  // namespace shflsim::traces
