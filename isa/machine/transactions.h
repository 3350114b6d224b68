// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/machine/asynchronous_row.h"
#include "isa/machine/execution.h"
#include "isa/machine/launch_events.h"
#include "isa/machine/shared_barrier.h"

namespace shflsim::isa {

/// Changes the barrier at this offset of the block's shared memory; warps go on that wait for the
/// phase which ends with that. `index` is of the instruction that has asked for it. Throws
/// LaunchError for what no barrier counts.
void change_barrier(Block& block, uint32_t offset, const BarrierChange& change, uint32_t index);
/// So many bytes have come (PTX: mbarrier.complete_tx).
inline void complete_transaction(Block& block, uint32_t offset, uint32_t bytes, uint32_t index) {
  change_barrier(block, offset, {0, -int64_t{bytes}}, index);
}

/// An instruction has moved its bytes: `copy` says which and whom to tell, without block, warp and
/// index. The barriers hear of it at once, or when the caller of a launch that is timed says so
/// (SteppedLaunch::end_copy). A copy that says no change tells of its bytes.
void begin_copy(Execution& execution, BulkCopy copy);

/// What the lane does at a barrier, for traces.
void note_word(Execution& execution, unsigned lane, const BarrierWord& word);

/// The barrier at an address of the cluster, as a copy names it: 8 bytes, aligned.
BulkCopy::Receiver receiver_at(Execution& execution, uint32_t address, unsigned lane);

}  // namespace shflsim::isa
