// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/codec/instruction.h"

namespace shflsim::isa {

/// A product of a group of four warps (PTX: wgmma): D has 64 rows and N columns.
struct GroupShape {
  unsigned columns = 0;  ///< 8 to 256; 0: not a product of a group
  unsigned depth = 0;    ///< elements of a row of A
};
/// The shape of an HGMMA, IGMMA, QGMMA or BGMMA.
GroupShape group_shape(const Instruction& instruction);

/// True for HGMMA, IGMMA, QGMMA and BGMMA.
bool is_group_product(Op op);

/// True for products of a group whose sums are integers: IGMMA, BGMMA.
bool has_integer_sums(Op op);

/// True if A is in shared memory, like B.
bool has_shared_factor(const Instruction& instruction);

/// Sets the register counts of the operands of a group's product.
void set_group_registers(Instruction* instruction);

}  // namespace shflsim::isa
