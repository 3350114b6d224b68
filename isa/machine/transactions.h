// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/machine/asynchronous_row.h"
#include "isa/machine/execution.h"
#include "isa/machine/launch_events.h"
#include "isa/machine/shared_barrier.h"

namespace shflsim::isa {

/// Changes the barrier at this offset of the block's shared memory; if a phase ends, warps that
/// wait for it continue. `index`: the instruction that causes the change. Throws LaunchError if the
/// barrier cannot count the change.
void change_barrier(Block& block, uint32_t offset, const BarrierChange& change, uint32_t index);

/// To be called when an instruction has moved its bytes; `copy` names the bytes and the barriers
/// to notify, without block, warp and index. The barriers change at once, or in a timed launch when
/// the caller says so (SteppedLaunch::end_copy). A copy without a change reports its bytes.
void begin_copy(Execution& execution, BulkCopy copy);

/// Records a lane's action at a barrier, for traces.
void note_word(Execution& execution, unsigned lane, const BarrierWord& word);

/// The barrier (8 bytes, aligned) at an address of the cluster, as the receiver of a copy.
BulkCopy::Receiver receiver_at(Execution& execution, uint32_t address, unsigned lane);

}  // namespace shflsim::isa
