// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/codec/instruction.h"

namespace shflsim::isa {

/// A product of a group of four warps (PTX: wgmma): D has 64 rows and N columns.
struct GroupShape {
  unsigned columns = 0;  ///< 8 to 256; 0: not a product of a group
  unsigned depth = 0;    ///< elements of a row of A
};
/// Of HGMMA, IGMMA and QGMMA.
GroupShape group_shape(const Instruction& instruction);

/// Whether A stands in shared memory, like B.
bool has_shared_factor(const Instruction& instruction);

/// Sets how many registers the operands of such a product have.
void set_group_registers(Instruction* instruction);

}  // namespace shflsim::isa
