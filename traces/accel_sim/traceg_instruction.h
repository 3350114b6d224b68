// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "traces/accel_sim/traced_register.h"
#include "traces/trace.h"

namespace shflsim::traces {

/// An instruction line but for what differs from one execution to the next. Equal fields mean the
/// same instruction.
struct TracegInstruction {
  uint64_t pc = 0;
  long line = 0;  ///< source line; 0 without -enable lineinfo
  TracedRegisters destinations;
  std::string opcode;  ///< opcode with its modifiers
  TracedRegisters sources;
  unsigned width = 0;                  ///< bytes that a lane reads or writes; 0: no memory
  unsigned immediates = 0;             ///< numbers behind the addresses: one, or two in version 6
  std::array<int64_t, 2> immediate{};  ///< one is the last of the instruction, two are its first
  bool has_commit = false;             ///< the line says whether it ends a commit group
  bool ends_group = false;             ///< ...and it does
  bool has_values = false;             ///< version 6: values of registers stood on the line

  bool operator<(const TracegInstruction& other) const;
};

/// One execution of an instruction.
struct TracegStep {
  uint32_t instruction = 0;  ///< number of the instruction, by first occurrence
  isa::LaneMask mask = 0;    ///< active, guard true
  bool accesses = false;     ///< memory: `addresses` are of this execution
  LaneAddresses addresses{};
};

/// A product of a warpgroup: HGMMA, IGMMA, QGMMA.
bool is_group_product(const TracegInstruction& instruction);
/// Copies whose addresses come from a tensor map or one range, not from the lanes.
bool is_bulk_copy(const TracegInstruction& instruction);

}  // namespace shflsim::traces
