// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/transactions.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "isa/machine/address_space.h"
#include "isa/machine/cluster.h"
#include "isa/machine/shared_barrier.h"
#include "isa/codec/form.h"

namespace shflsim::isa {

void change_barrier(Block& block, uint32_t offset, const BarrierChange& change, uint32_t index) {
  uint64_t word = 0;
  block.shared.read(offset, &word, sizeof word);
  SharedBarrier barrier(word);
  const auto fail_with = [&](const std::string& what) {
    fail_at(
        block.grid.program, index,
        fmt::format("block {}: a barrier at shared address 0x{:x} {}", block.index, offset, what));
  };
  const int64_t bytes = barrier.bytes + change.bytes;
  if (change.arrivals > barrier.pending)
    fail_with(fmt::format("is arrived at {} times and waits for {} more", change.arrivals,
                          barrier.pending));
  if (std::llabs(bytes) > SharedBarrier::kMostBytes)
    fail_with(fmt::format("would wait for {} bytes; expected {} at most", bytes,
                          SharedBarrier::kMostBytes));
  barrier.pending -= static_cast<uint32_t>(change.arrivals);
  barrier.bytes = static_cast<int32_t>(bytes);
  barrier.end_phase_if_complete();
  word = barrier.word();
  block.shared.write(offset, &word, sizeof word);
  block.barrier_changed(offset);
}

namespace {

/// A copy of bytes by a uniform instruction; what lanes do has words of its own.
bool is_bulk(const Execution& execution) {
  return facts(execution.instruction.op).kind == OpKind::kBulkCopy;
}

void note_row(Execution& execution, const BulkCopy& copy) {
  CopyRow row;
  row.copy = copy;
  for (const BulkCopy::Receiver& receiver : copy.receivers) {
    row.ranks |= 1u << execution.block.cluster->numbered(receiver.block)->rank;
    row.offset = receiver.offset;
  }
  execution.block.asynchronous = row.packed();
  execution.asynchronous = &execution.block.asynchronous;
}

}  // namespace

void note_word(Execution& execution, unsigned lane, const BarrierWord& word) {
  execution.block.asynchronous[lane] = word.packed();
  execution.asynchronous = &execution.block.asynchronous;
}

void begin_copy(Execution& execution, BulkCopy copy) {
  if (is_bulk(execution)) note_row(execution, copy);
  copy.block = execution.block.index;
  copy.warp = execution.warp_index;
  copy.index = execution.index;
  if (copy.change.arrivals == 0 && copy.change.bytes == 0) copy.change.bytes = -int64_t{copy.bytes};
  const LaunchClock* clock = execution.block.grid.options.clock;
  const bool is_timed = clock != nullptr && clock->events != nullptr;
  for (const BulkCopy::Receiver& receiver : copy.receivers) {
    Block& block = *execution.block.cluster->numbered(receiver.block);
    if (copy.bytes != 0) block.told[receiver.offset] = copy.index;
    if (receiver.to != BulkCopy::kNowhere)
      block.awaited.push_back({receiver.to, copy.bytes, receiver.offset});
    if (!is_timed) change_barrier(block, receiver.offset, copy.change, copy.index);
  }
  if (is_timed) clock->events->copy_began(copy);
}

BulkCopy::Receiver receiver_at(Execution& execution, uint32_t address, unsigned lane) {
  const Access access = locate(execution, Space::kCluster, address, sizeof(uint64_t), lane);
  if ((access.storage->marks(access.offset, sizeof(uint64_t)) & Storage::kUndefined) != 0)
    report_undefined(execution, 1u << lane, "uses a barrier that is not initialised");
  return {block_at(execution, address, lane).index, static_cast<uint32_t>(access.offset),
          BulkCopy::kNowhere};
}

}  // namespace shflsim::isa
