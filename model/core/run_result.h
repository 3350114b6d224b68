// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/config_value.h"
#include "model/core/counts.h"
#include "model/core/occupancy.h"
#include "model/core/stats.h"

namespace shflsim::model {

struct RunResult {
  Cycle cycles = 0;     ///< first cycle to the last warp's end
  uint32_t sms = 1;     ///< number of SMs that ran the grid's blocks
  Occupancy occupancy;  ///< occupancy of an SM
  uint64_t warp_instructions = 0;
  uint64_t dual_issued = 0;  ///< second instructions of pairs, which add no warp-cycle
  uint64_t warp_cycles = 0;  ///< resident warps summed over cycles
  StateCycles states{};
  std::vector<InstructionStats> instructions;  ///< by index into Code::lines
  std::vector<StatColumn> counts;              ///< one column for each stat of the units
  std::vector<UnitStats> units;
  std::vector<WarpStats> warps;
  std::vector<EnergyStats> energy;  ///< empty if the chip's energies are not known
  std::vector<ConfigValue> config;
  /// What ended the run before all warps ended, so that the result is partial: "SIGINT" or
  /// "--max-cycles"; "" for a complete run.
  std::string stopped_by;

  /// A stat of one instruction; kNone if it does not apply, or there is no such stat.
  uint64_t count(std::string_view key, size_t index) const {
    for (const StatColumn& column : counts) {
      if (column.key == key) return column.values[index];
    }
    return StatColumn::kNone;
  }

  template <class Self, class Member>
  static void visit(Self& self, Member&& member) {
    member(self.cycles), member(self.sms), member(self.occupancy), member(self.warp_instructions);
    member(self.dual_issued), member(self.warp_cycles), member(self.states);
    member(self.instructions), member(self.counts), member(self.units), member(self.warps);
    member(self.energy), member(self.config), member(self.stopped_by);
  }
};

}  // namespace shflsim::model
