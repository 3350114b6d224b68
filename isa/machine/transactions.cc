// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/transactions.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "isa/machine/address_space.h"
#include "isa/machine/cluster.h"
#include "isa/machine/shared_barrier.h"

namespace shflsim::isa {

void complete_transaction(Block& block, uint32_t offset, uint32_t bytes, uint32_t index) {
  uint64_t word = 0;
  block.shared.read(offset, &word, sizeof word);
  SharedBarrier barrier(word);
  const int64_t left = int64_t{barrier.bytes} - bytes;
  if (std::llabs(left) > SharedBarrier::kMostBytes) {
    fail_at(block.grid.program, index,
            fmt::format("block {}: a barrier at shared address 0x{:x} would wait for {} bytes; "
                        "expected {} at most",
                        block.index, offset, left, SharedBarrier::kMostBytes));
  }
  barrier.bytes = static_cast<int32_t>(left);
  barrier.end_phase_if_complete();
  word = barrier.word();
  block.shared.write(offset, &word, sizeof word);
  block.barrier_changed(offset);
}

void begin_copy(Execution& execution, BulkCopy copy) {
  copy.block = execution.block.index;
  copy.warp = execution.warp_index;
  copy.index = execution.index;
  const LaunchClock* clock = execution.block.grid.options.clock;
  if (clock != nullptr && clock->events != nullptr) return clock->events->copy_began(copy);
  const Cluster& cluster = *execution.block.cluster;
  for (uint32_t rank = 0; rank < cluster.size(); ++rank) {
    for (const BulkCopy::Receiver& receiver : copy.receivers) {
      Block* const block = cluster.block(rank);
      if (block != nullptr && block->index == receiver.block)
        complete_transaction(*block, receiver.offset, copy.bytes, copy.index);
    }
  }
}

BulkCopy::Receiver receiver_at(Execution& execution, uint32_t address, unsigned lane) {
  const Access access = locate(execution, Space::kCluster, address, sizeof(uint64_t), lane);
  if ((access.storage->marks(access.offset, sizeof(uint64_t)) & Storage::kUndefined) != 0)
    report_undefined(execution, 1u << lane, "uses a barrier that is not initialised");
  return {block_at(execution, address, lane).index, static_cast<uint32_t>(access.offset)};
}

}  // namespace shflsim::isa
