// SPDX-License-Identifier: Apache-2.0
// Copies and reductions of a row of bytes between global and shared memory, or from a block's
// shared memory to that of another block of its cluster: UBLKCP, UBLKRED, UBLKPF. Operand B has the
// target and, if that is shared memory, the barrier to notify; A has the source; C has the number
// of 16-byte units (15:0) and, for copies to several blocks, the set of their ranks (31:16).
// Sources: the code of ptxas 13.0, and its execution on an H100.
#include <fmt/format.h>

#include "isa/machine/address_space.h"
#include "isa/machine/atomic_values.h"
#include "isa/machine/cluster.h"
#include "isa/machine/operations.h"
#include "isa/machine/transactions.h"

namespace shflsim::isa {
namespace {

constexpr unsigned kUnit = 16;  ///< bytes; copies are a multiple of this

enum BulkWay : uint8_t { kSharedFromGlobal = 1, kGlobalFromShared, kSharedFromShared };

uint64_t uniform_pair(const Execution& execution, Role role) {
  const uint8_t index = execution.operand(role).index;
  const uint64_t high = index == kRZ ? 0 : execution.warp.uniform(index + 1u);
  return high << 32 | execution.warp.uniform(index);
}

/// The request of an instruction.
struct BulkRequest {
  explicit BulkRequest(const Execution& execution)
      : way(execution.instruction[Mod::k_bulk]),
        from(uniform_pair(execution, Role::kA)),
        to(uniform_pair(execution, Role::kB)),
        bytes((execution.warp.uniform(execution.operand(Role::kC).index) & 0xFFFF) * kUnit),
        ranks(execution.warp.uniform(execution.operand(Role::kC).index) >> 16) {
    if (way != kSharedFromGlobal) from &= 0xFFFFFFFFu;
    barrier = static_cast<uint32_t>(to >> 32);
    if (way != kGlobalFromShared) to &= 0xFFFFFFFFu;
  }

  Space source() const { return way == kSharedFromGlobal ? Space::kGlobal : Space::kShared; }
  Space target() const { return way == kGlobalFromShared ? Space::kGlobal : Space::kCluster; }
  BulkCopy::Way kind() const {
    return way == kSharedFromGlobal   ? BulkCopy::Way::kToShared
           : way == kGlobalFromShared ? BulkCopy::Way::kToGlobal
                                      : BulkCopy::Way::kToCluster;
  }
  BulkCopy copy() const {
    BulkCopy copy;
    copy.way = kind();
    copy.bytes = bytes;
    copy.address = way == kSharedFromGlobal ? from : way == kGlobalFromShared ? to : 0;
    return copy;
  }

  uint8_t way;
  uint64_t from;
  uint64_t to;
  uint32_t bytes;
  uint32_t ranks;
  uint32_t barrier;
};

/// Calls f(source, target) for each 16-byte unit.
template <class F>
void for_each_unit(Execution& execution, const BulkRequest& request, uint64_t to, F f) {
  const unsigned lane = first_lane(execution);
  for (uint32_t at = 0; at < request.bytes; at += kUnit) {
    const Access source = locate(execution, request.source(), request.from + at, kUnit, lane);
    const Access target = locate(execution, request.target(), to + at, kUnit, lane);
    f(source, target);
  }
}

void copy_units(Execution& execution, const BulkRequest& request, uint64_t to) {
  for_each_unit(execution, request, to, [](const Access& source, const Access& target) {
    uint8_t values[kUnit];
    source.storage->read(source.offset, values, kUnit);
    target.storage->write(target.offset, values, kUnit);
    for (unsigned i = 0; source.storage->marked() && i < kUnit; ++i) {
      const uint8_t marks = source.storage->marks(source.offset + i, 1);
      target.storage->write(target.offset + i, values + i, 1, marks);
    }
  });
}

/// A copy to shared memory notifies the barrier in the register after the target's.
void begin_bulk(Execution& execution, const BulkRequest& request, BulkCopy copy) {
  if (request.way != kGlobalFromShared) {
    copy.receivers.push_back(receiver_at(execution, request.barrier, first_lane(execution)));
    copy.receivers.back().to = static_cast<uint32_t>(shared_offset(request.to));
  }
  begin_copy(execution, copy);
}

/// Copies to equal offsets in all blocks of the set, and notifies the barrier of each block.
void copy_to_several(Execution& execution, const BulkRequest& request) {
  const unsigned lane = first_lane(execution);
  BulkCopy copy = request.copy();
  for (uint32_t rank = 0; rank < kMostClusterBlocks; ++rank) {
    if ((request.ranks >> rank & 1u) == 0) continue;
    const uint32_t base = rank << Cluster::kRankBit;
    copy_units(execution, request, base | shared_offset(request.to));
    const auto barrier = static_cast<uint32_t>(shared_offset(request.barrier));
    copy.receivers.push_back(receiver_at(execution, base | barrier, lane));
    copy.receivers.back().to = static_cast<uint32_t>(shared_offset(request.to));
  }
  begin_copy(execution, copy);
}

void ublkcp(Execution& execution) {
  const BulkRequest request(execution);
  if (execution.instruction[Mod::k_multicast] != 0) return copy_to_several(execution, request);
  copy_units(execution, request, request.to);
  BulkCopy copy = request.copy();
  begin_bulk(execution, request, copy);
}

/// The type of elements by the field bulk_type; halves are in pairs.
AtomicValue::Type bulk_type_of(const Instruction& instruction) {
  constexpr AtomicValue::Type kTypes[16] = {
      AtomicValue::kU32,    AtomicValue::kS32,      AtomicValue::kU64,  AtomicValue::kS64,
      AtomicValue::kF16x2,  AtomicValue::kF32Whole, AtomicValue::kNone, AtomicValue::kF64,
      AtomicValue::kBf16x2, AtomicValue::kNone,     AtomicValue::kNone, AtomicValue::kNone,
      AtomicValue::kNone,   AtomicValue::kNone,     AtomicValue::kNone, AtomicValue::kNone};
  return kTypes[instruction[Mod::k_bulk_type] & 15];
}

void ublkred(Execution& execution) {
  const BulkRequest request(execution);
  const AtomicValue::Type type = bulk_type_of(execution.instruction);
  const uint8_t operation = execution.instruction[Mod::k_atom];
  const unsigned size = AtomicValue::bytes_of(type);
  for_each_unit(execution, request, request.to, [&](const Access& source, const Access& target) {
    for (unsigned at = 0; at < kUnit; at += size) {
      uint64_t value = 0, old = 0;
      source.storage->read(source.offset + at, &value, size);
      target.storage->read(target.offset + at, &old, size);
      const auto marks = static_cast<uint8_t>(source.storage->marks(source.offset + at, size) |
                                              target.storage->marks(target.offset + at, size));
      const uint64_t sum = AtomicValue::updated(operation, type, old, value);
      target.storage->write(target.offset + at, &sum, size, marks);
    }
  });
  BulkCopy copy = request.copy();
  copy.reduces = true;
  begin_bulk(execution, request, copy);
}

/// A prefetch to the L2, which does not change memory.
void ublkpf(Execution& execution) {
  BulkCopy copy;
  copy.way = BulkCopy::Way::kPrefetching;
  copy.address = uniform_pair(execution, Role::kA);
  copy.bytes = (execution.warp.uniform(execution.operand(Role::kC).index) & 0xFFFF) * kUnit;
  begin_copy(execution, copy);
}

/// Ends the group of copies from shared memory (PTX: cp.async.bulk.commit_group).
void end_copies(Execution& execution) {
  AccessOrder* const order = execution.block.order();
  if (order != nullptr) order->end_copies({execution.block.rank, execution.warp_index});
}

std::string refuse_several(const Instruction& instruction) {
  const bool is_several = instruction[Mod::k_multicast] != 0;
  return is_several && instruction[Mod::k_bulk] != kSharedFromGlobal ? "the form .MULTICAST" : "";
}

std::string refuse_reduction(const Instruction& instruction) {
  const AtomicValue::Type type = bulk_type_of(instruction);
  const uint8_t operation = instruction[Mod::k_atom];
  if (instruction[Mod::k_bulk] == kSharedFromGlobal) return "a reduction from global memory";
  if (type == AtomicValue::kNone || operation > AtomicValue::kXor) return "this reduction";
  return AtomicValue::is_defined(operation, type) ? "" : "this reduction of floats";
}

}  // namespace

void add_sm70_bulk_operations(OperationTable& table) {
  entry(table, Op::kSm70_UBLKCP) = {ublkcp, refuse_several};
  entry(table, Op::kSm70_UBLKRED) = {ublkred, refuse_reduction};
  entry(table, Op::kSm70_UBLKPF) = {ublkpf};
  entry(table, Op::kSm70_UTMACMDFLUSH) = {end_copies};
}

}  // namespace shflsim::isa
