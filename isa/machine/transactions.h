// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/machine/execution.h"
#include "isa/machine/launch_events.h"

namespace shflsim::isa {

/// As many bytes fewer are expected by the barrier at this offset of the block's shared memory
/// (PTX: mbarrier.complete_tx); warps that wait for the phase go on if it is over. `index` is of
/// the instruction that has sent them. Throws LaunchError beyond what a barrier counts.
void complete_transaction(Block& block, uint32_t offset, uint32_t bytes, uint32_t index);

/// An instruction has moved its bytes: `copy` says which and whom to tell, without block, warp and
/// index. The barriers hear of it at once, or when the caller of a launch that is timed says so.
void begin_copy(Execution& execution, BulkCopy copy);

/// The barrier at an address of the cluster, as a copy names it: 8 bytes, aligned.
BulkCopy::Receiver receiver_at(Execution& execution, uint32_t address, unsigned lane);

}  // namespace shflsim::isa
