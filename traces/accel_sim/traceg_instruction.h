// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "traces/accel_sim/traced_register.h"
#include "traces/trace.h"

namespace shflsim::traces {

/// The constant part of an instruction line, which is equal in all executions. Equal fields mean
/// the same instruction.
struct TracegInstruction {
  uint64_t pc = 0;
  long line = 0;  ///< source line; 0 without -enable lineinfo
  TracedRegisters destinations;
  std::string opcode;  ///< opcode with its modifiers
  TracedRegisters sources;
  unsigned width = 0;                  ///< bytes per lane of a memory access; 0: none
  unsigned immediates = 0;             ///< numbers after the addresses: one, or two in version 6
  std::array<int64_t, 2> immediate{};  ///< one: the instruction's last; two: its first ones
  bool has_commit = false;             ///< the line says whether it ends a commit group
  bool ends_group = false;             ///< it ends a commit group
  bool has_values = false;             ///< version 6: the line had values of registers

  bool operator<(const TracegInstruction& other) const;
};

/// One execution of an instruction.
struct TracegStep {
  uint32_t instruction = 0;  ///< number of the instruction, by first occurrence
  isa::LaneMask mask = 0;    ///< active, guard true
  bool accesses = false;     ///< a memory access with `addresses`
  LaneAddresses addresses{};
};

/// True for a warpgroup's matrix product: HGMMA, IGMMA, QGMMA.
bool is_group_product(const TracegInstruction& instruction);
/// True for copies whose addresses come from a tensor map or one range instead of from the lanes.
bool is_bulk_copy(const TracegInstruction& instruction);

}  // namespace shflsim::traces
