// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/ptx/lines/lines.h"

namespace shflsim::isa::ptx {

/// Redirects branches to blocks without lines to the successors of these blocks.
void pass_by_empty_blocks(Code* code);
/// Redirects the block's edges to `from` to `to`.
void redirect(Block* block, int from, int to);
/// Replaces a branch to an empty block without a successor by an exit, so that it needs no join.
void fold_ends(Code* code);

}  // namespace shflsim::isa::ptx
