// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/transactions.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "isa/codec/form.h"
#include "isa/machine/address_space.h"
#include "isa/machine/cluster.h"
#include "isa/machine/shared_barrier.h"

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

/// True for a copy of bytes by a uniform instruction. Actions of lanes have BarrierWords.
bool is_bulk(const Execution& execution) {
  return facts(execution.instruction.op).kind == OpKind::kBulkCopy;
}

/// For AccessOrder: which barriers end the copy.
void tell_order(const Execution& execution, const BulkCopy& copy) {
  AccessOrder* const order = execution.block.order();
  if (order == nullptr) return;
  for (const BulkCopy::Receiver& receiver : copy.receivers) {
    const uint32_t rank = execution.block.cluster->numbered(receiver.block)->rank;
    order->notify(kAllLanes, {AccessOrder::Place::Kind::kShared, rank, receiver.offset});
  }
  order->forget_copies();
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
  const bool is_timed = execution.block.sm->is_timed();
  if (is_bulk(execution)) tell_order(execution, copy);
  for (const BulkCopy::Receiver& receiver : copy.receivers) {
    Block& block = *execution.block.cluster->numbered(receiver.block);
    if (copy.bytes != 0) block.told[receiver.offset] = copy.index;
    if (receiver.to != BulkCopy::kNowhere)
      block.awaited.push_back({receiver.to, copy.bytes, receiver.offset});
    if (!is_timed) change_barrier(block, receiver.offset, copy.change, copy.index);
  }
  if (is_timed) execution.block.sm->clock->events->copy_began(copy);
}

BulkCopy::Receiver receiver_at(Execution& execution, uint32_t address, unsigned lane) {
  const Access access = locate(execution, Space::kCluster, address, sizeof(uint64_t), lane);
  if ((access.storage->marks(access.offset, sizeof(uint64_t)) & Storage::kUndefined) != 0)
    report_undefined(execution, 1u << lane, "uses a barrier that is not initialised");
  return {block_at(execution, address, lane).index, static_cast<uint32_t>(access.offset),
          BulkCopy::kNowhere};
}

// --- rows of traces

namespace {

constexpr uint64_t kSaysSomething = uint64_t{1} << 63;
constexpr unsigned kBeforeAt = 24, kAfterAt = 40;  ///< bits of kRowBytes
constexpr uint64_t kOutside = 0xFFFF;
constexpr unsigned kSets = 15;  ///< in place of a BulkCopy::Way: sets a barrier

/// Words of a row.
enum RowWord : uint8_t { kHead, kAddress, kBarrier, kRowBytes, kCounts, kStrides, kMap = 9 };

}  // namespace

uint32_t BarrierWord::offset() const { return address & ((1u << Cluster::kRankBit) - 1); }

BarrierChange BarrierWord::change() const {
  const int64_t amount = number;
  switch (kind) {
    case Kind::kArrivals:
    case Kind::kAfterLoads:
    case Kind::kLeaving: return {amount, 0};
    case Kind::kArrivalWithBytes:
    case Kind::kLeavingWithBytes: return {1, amount};
    case Kind::kBytesExpected: return {0, amount};
    default: return {0, -amount};
  }
}

std::optional<BarrierWord> BarrierWord::unpacked(uint64_t word) {
  const auto kind = static_cast<uint8_t>(word >> 53 & 31);
  if ((word & kSaysSomething) == 0 || kind >= static_cast<uint8_t>(Kind::kCount)) return {};
  BarrierWord out;
  out.kind = static_cast<Kind>(kind);
  out.number = static_cast<uint32_t>(word >> 32) & kMostNumber;
  out.address = static_cast<uint32_t>(word);
  out.rank = static_cast<uint32_t>(word >> 58 & 15);
  out.has_rank = (word >> 62 & 1) != 0;
  return out;
}

LaneAddresses CopyRow::packed() const {
  LaneAddresses row{};
  const uint64_t way = is_copy ? static_cast<uint64_t>(copy.way) : kSets;
  row[kHead] = kSaysSomething | uint64_t{copy.bytes & 0xFFFFFFu} << 32 |
               uint64_t{ranks & 0xFFFFu} << 16 | uint64_t{copy.reduces} << 4 | way;
  row[kAddress] = is_copy ? copy.address : word;
  row[kBarrier] = offset;
  row[kRowBytes] = uint64_t{copy.rows.is_box} << 63 | uint64_t{copy.rows.after} << kAfterAt |
                   uint64_t{copy.rows.before} << kBeforeAt | copy.rows.bytes;
  row[kMap] = copy.map;
  for (unsigned i = 0; i < BulkCopy::Rows::kLoops; ++i) {
    row[kCounts] |= uint64_t{copy.rows.counts[i]} << (16 * i);
    row[kStrides + i] = copy.rows.strides[i];
  }
  return row;
}

std::optional<CopyRow> CopyRow::unpacked(const LaneAddresses& row) {
  const uint64_t head = row[kHead];
  const unsigned way = head & 15;
  const bool is_way = way <= static_cast<unsigned>(BulkCopy::Way::kToCluster) ||
                      way == static_cast<unsigned>(BulkCopy::Way::kPrefetching);
  if ((head & kSaysSomething) == 0 || (way != kSets && !is_way)) return {};
  CopyRow out;
  out.is_copy = way != kSets;
  out.ranks = static_cast<uint32_t>(head >> 16) & 0xFFFFu;
  out.offset = static_cast<uint32_t>(row[kBarrier]);
  if (!out.is_copy) {
    out.word = row[kAddress];
    return out;
  }
  out.copy.way = static_cast<BulkCopy::Way>(way);
  out.copy.reduces = (head >> 4 & 1) != 0;
  out.copy.bytes = static_cast<uint32_t>(head >> 32) & 0xFFFFFFu;
  out.copy.change.bytes = -int64_t{out.copy.bytes};
  out.copy.address = row[kAddress];
  out.copy.rows.is_box = row[kRowBytes] >> 63 != 0;
  out.copy.rows.bytes = static_cast<uint32_t>(row[kRowBytes]) & 0xFFFFFFu;
  out.copy.rows.before = static_cast<uint16_t>(row[kRowBytes] >> kBeforeAt & kOutside);
  out.copy.rows.after = static_cast<uint16_t>(row[kRowBytes] >> kAfterAt & kOutside);
  out.copy.map = row[kMap];
  for (unsigned i = 0; i < BulkCopy::Rows::kLoops; ++i) {
    out.copy.rows.counts[i] = static_cast<uint16_t>(row[kCounts] >> (16 * i));
    out.copy.rows.strides[i] = row[kStrides + i];
  }
  return out;
}

bool has_copy_rows(Op op) { return facts(op).kind == OpKind::kBulkCopy || op == Op::kSm70_SYNCS; }

LaneAddresses copied_from(const LaneAddresses& row) {
  LaneAddresses result{};
  for (unsigned lane = 0; lane < kLanes; ++lane)
    result[lane] = CopiedLane::unpacked(row[lane]).from;
  return result;
}

bool is_asynchronous(Op op) {
  if (op == Op::kCount) return false;
  switch (facts(op).kind) {
    case OpKind::kBulkCopy:
    case OpKind::kSharedArrival:
    case OpKind::kSharedCheck:
    case OpKind::kClusterBarrier: return true;
    default: break;
  }
  return op == Op::kSm70_SYNCS || op == Op::kSm70_ARRIVES || op == Op::kSm70_STAS ||
         op == Op::kSm70_REDAS;
}

}  // namespace shflsim::isa
