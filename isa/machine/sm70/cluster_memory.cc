// SPDX-License-Identifier: Apache-2.0
// Operations between the blocks of a cluster: the cluster's barrier (UCGABAR), and stores to shared
// memory of another block that notify a barrier there of the bytes (STAS, REDAS: operand A's first
// register has the target, the second one the barrier). Also USETMAXREG, which is of one block.
#include <algorithm>

#include <fmt/format.h>

#include "isa/machine/address_space.h"
#include "isa/machine/atomic_values.h"
#include "isa/machine/cluster.h"
#include "isa/machine/operations.h"
#include "isa/machine/transactions.h"

namespace shflsim::isa {
namespace {

constexpr AccessOrder::Place kMeeting{AccessOrder::Place::Kind::kCluster, 0, 0};

void wait_for_cluster(Execution& execution) {
  if (execution.lanes == 0) return;
  Block& block = execution.block;
  if (!block.cluster->has_passed(block, execution.warp_index))
    return block.wait_for_cluster(execution.warp_index, execution.lanes);
  if (block.order() != nullptr) block.order()->pass({block.rank, execution.warp_index}, kMeeting);
}

void cluster_barrier(Execution& execution) {
  if (form_says(execution.instruction, "_WAIT")) return wait_for_cluster(execution);
  if (execution.lanes == 0) return;
  Block& block = execution.block;
  if (block.order() != nullptr) block.order()->arrive({block.rank, execution.warp_index}, kMeeting);
  if (!block.cluster->arrive(block, execution.warp_index))
    fail(execution, "arrives a second time at the barrier of the cluster; expected a wait first");
}

/// Words of a store by the field size; value 4 is one word.
unsigned stored_words(const Instruction& instruction) {
  constexpr uint8_t k64 = 5, k128 = 6;
  const uint8_t size = instruction[Mod::k_size];
  return size == k64 ? 2 : size == k128 ? 4 : 1;
}

/// For AccessOrder: the bytes that a lane sends.
void follow_sent(Execution& execution, uint64_t address, unsigned bytes, unsigned lane) {
  AccessOrder* const order = execution.block.order();
  if (order == nullptr) return;
  const AccessOrder::Warp warp{execution.block.rank, execution.warp_index};
  const AccessedBytes range{block_at(execution, address, lane).rank, shared_offset(address), bytes};
  const bool adds = execution.instruction.op == Op::kSm70_REDAS;
  const AccessFault fault = order->has_started(warp, range.rank)
                                ? order->copy_to(warp, range, lane, adds)
                                : AccessFault::kNotStarted;
  if (fault != AccessFault::kNone) report_undefined(execution, 1u << lane, text_of(fault));
}

/// Notifies the lanes' barriers, each barrier once for the bytes of all its lanes.
void tell(Execution& execution, uint32_t bytes, const LaneAddresses& targets) {
  const uint8_t index = execution.operand(Role::kA).index;
  const uint32_t* const barriers = execution.warp.row(index == kRZ ? kRZ : index + 1u);
  for (LaneMask left = execution.lanes; left != 0;) {
    const auto first = static_cast<unsigned>(__builtin_ctz(left));
    const LaneMask same =
        left & lanes_where([&](unsigned lane) { return barriers[lane] == barriers[first]; });
    left &= ~same;
    BulkCopy copy;
    copy.way = BulkCopy::Way::kToCluster;
    copy.is_sent = true;
    copy.reduces = execution.instruction.op == Op::kSm70_REDAS;
    copy.bytes = bytes * static_cast<uint32_t>(__builtin_popcount(same));
    copy.receivers.push_back(receiver_at(execution, barriers[first], first));
    begin_copy(execution, copy);
    BarrierWord word;
    word.kind = bytes == 4   ? BarrierWord::Kind::kSend4
                : bytes == 8 ? BarrierWord::Kind::kSend8
                             : BarrierWord::Kind::kSend16;
    word.number = copy.receivers[0].offset / sizeof(uint64_t);
    word.has_rank = true;
    word.rank = block_at(execution, barriers[first], first).rank;
    if (AccessOrder* const order = execution.block.order(); order != nullptr)
      order->notify(same, {AccessOrder::Place::Kind::kShared, word.rank, copy.receivers[0].offset});
    for_each_lane(same, [&](unsigned lane) {
      word.address = static_cast<uint32_t>(targets[lane]);
      note_word(execution, lane, word);
    });
  }
  if (execution.block.order() != nullptr) execution.block.order()->forget_copies();
}

/// Addresses of the cluster have 32 bits.
LaneAddresses cluster_addresses(Execution& execution) {
  LaneAddresses addresses = resolve_addresses(execution);
  const auto offset = static_cast<uint64_t>(execution.operand(Role::kA).value);
  const uint32_t* const low = execution.warp.row(execution.operand(Role::kA).index);
  const uint64_t base = uniform_base(execution, execution.operand(Role::kA));
  for (unsigned lane = 0; lane < kLanes; ++lane)
    addresses[lane] = static_cast<uint32_t>(low[lane] + offset + base);
  execution.block.addresses = addresses;
  return addresses;
}

void stas(Execution& execution) {
  const unsigned words = stored_words(execution.instruction);
  const LaneAddresses addresses = cluster_addresses(execution);
  const Marks marks = stored_marks(execution, Role::kB, words);
  for_each_lane(execution.lanes,
                [&](unsigned lane) { follow_sent(execution, addresses[lane], 4 * words, lane); });
  for (unsigned word = 0; word < words; ++word) {
    const SourceOperand data(execution, Role::kB, word);
    for_each_lane(execution.lanes, [&](unsigned lane) {
      const Access access = locate(execution, Space::kCluster, addresses[lane], 4 * words, lane);
      const uint32_t value = data[lane];
      access.storage->write(access.offset + 4 * word, &value, 4, marks_of_lane(marks, lane));
    });
  }
  tell(execution, 4 * words, addresses);
}

AtomicValue::Type stored_type(const Instruction& instruction) {
  constexpr AtomicValue::Type kTypes[] = {AtomicValue::kU32, AtomicValue::kS32, AtomicValue::kU64,
                                          AtomicValue::kS64};
  const uint8_t field = instruction[Mod::k_atype9];
  return field < std::size(kTypes) ? kTypes[field] : AtomicValue::kNone;
}

void redas(Execution& execution) {
  const AtomicValue::Type type = stored_type(execution.instruction);
  const uint8_t operation = execution.instruction[Mod::k_atom];
  const unsigned size = AtomicValue::bytes_of(type);
  const LaneAddresses addresses = cluster_addresses(execution);
  const Marks marks = stored_marks(execution, Role::kB, size / 4);
  const SourceOperand low(execution, Role::kB), high(execution, Role::kB, size / 8);
  for_each_lane(execution.lanes, [&](unsigned lane) {
    follow_sent(execution, addresses[lane], size, lane);
    const Access access = locate(execution, Space::kCluster, addresses[lane], size, lane);
    const uint64_t operand = uint64_t{size == 8 ? high[lane] : 0} << 32 | low[lane];
    uint64_t old = 0;
    access.storage->read(access.offset, &old, size);
    const uint64_t value = AtomicValue::updated(operation, type, old, operand);
    access.storage->write(access.offset, &value, size, marks_of_lane(marks, lane));
  });
  tell(execution, size, addresses);
}

std::string refuse_stored(const Instruction& instruction) {
  constexpr uint8_t kWord = 4, kLongest = 6;  // values of the field size
  const uint8_t size = instruction[Mod::k_size];
  return size < kWord || size > kLongest ? "a store of less than a word" : "";
}

std::string refuse_reduced(const Instruction& instruction) {
  const bool is_known = stored_type(instruction) != AtomicValue::kNone &&
                        instruction[Mod::k_atom] <= AtomicValue::kXor;
  return is_known ? "" : "this reduction";
}

/// There are always enough registers; what asks for more than the block has is reported at its end.
void set_most_registers(Execution& execution) {
  execution.block.register_changes.push_back({execution.warp_index, execution.index});
  if (asks_for_registers(execution.instruction)) write_predicate(execution, Role::kP, kAllLanes);
}

std::string refuse_registers(const Instruction& instruction) {
  constexpr unsigned kLeast = 24, kMost = 256, kMultiple = 8;
  const unsigned behind = registers_behind(instruction);
  if (behind >= kLeast && behind <= kMost && behind % kMultiple == 0) return "";
  return fmt::format("USETMAXREG to {} registers, not a multiple of {} from {} to {},", behind,
                     kMultiple, kLeast, kMost);
}

constexpr Operation steering(void (*execute)(Execution&)) {
  return {execute, nullptr, false, true};
}

}  // namespace

void add_sm70_cluster_operations(OperationTable& table) {
  entry(table, Op::kSm70_UCGABAR) = steering(cluster_barrier);
  entry(table, Op::kSm70_STAS) = {stas, refuse_stored};
  entry(table, Op::kSm70_REDAS) = {redas, refuse_reduced};
  entry(table, Op::kSm70_USETMAXREG) = {set_most_registers, refuse_registers};
}

}  // namespace shflsim::isa
