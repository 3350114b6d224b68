// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/asynchronous_row.h"

#include "isa/codec/form.h"

namespace shflsim::isa {
namespace {

constexpr uint64_t kSaysSomething = uint64_t{1} << 63;
constexpr unsigned kSets = 15;  ///< in the place of a way

/// Words of a row.
enum RowWord : uint8_t { kHead, kAddress, kBarrier, kRowBytes, kCounts, kStrides };

}  // namespace

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
  row[kRowBytes] = uint64_t{copy.rows.is_box} << 63 | copy.rows.bytes;
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
  for (unsigned i = 0; i < BulkCopy::Rows::kLoops; ++i) {
    out.copy.rows.counts[i] = static_cast<uint16_t>(row[kCounts] >> (16 * i));
    out.copy.rows.strides[i] = row[kStrides + i];
  }
  return out;
}

bool has_copy_rows(Op op) {
  return facts(op).kind == OpKind::kBulkCopy || op == Op::kSm70_SYNCS;
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
