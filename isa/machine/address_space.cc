// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/address_space.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/code/launch_layout.h"
#include "isa/codec/form.h"
#include "isa/codec/group_shape.h"
#include "isa/machine/asynchronous_row.h"
#include "isa/machine/cluster.h"

namespace shflsim::isa {
namespace {

AccessOrder::Warp warp_of(const Execution& execution) {
  return {execution.block.rank, execution.warp_index};
}

bool stores_words(Op op) {
  const OpKind kind = facts(op).kind;
  return kind == OpKind::kStore || kind == OpKind::kAtomic || kind == OpKind::kAtomicStore;
}

bool is_bulk_copy(Op op) { return facts(op).kind == OpKind::kBulkCopy; }

/// Where a copy of bytes goes: the field `bulk` of UBLKCP and UBLKRED.
enum BulkWay : uint8_t { kGlobalFromShared = 2, kSharedFromShared = 3 };

/// A copy between blocks of a cluster ends at a barrier, one to global memory with its group.
bool ends_at_barrier(const Instruction& instruction) {
  const bool has_way = instruction.op == Op::kSm70_UBLKCP || instruction.op == Op::kSm70_UBLKRED;
  return has_way && instruction[Mod::k_bulk] == kSharedFromShared;
}

bool copies_to_global(const Instruction& instruction) {
  if (instruction.op == Op::kSm70_UTMASTG || instruction.op == Op::kSm70_UTMAREDG) return true;
  const bool has_way = instruction.op == Op::kSm70_UBLKCP || instruction.op == Op::kSm70_UBLKRED;
  return has_way && instruction[Mod::k_bulk] == kGlobalFromShared;
}

/// Copies read by block addresses and write by cluster addresses, units of 16 bytes; fewer bytes
/// are a barrier.
AccessFault fault_of_copy(const Execution& execution, const AccessedBytes& bytes, unsigned lane,
                          bool by_cluster) {
  constexpr unsigned kUnit = 16;
  AccessOrder& order = *execution.block.order();
  const AccessOrder::Warp warp = warp_of(execution);
  if (by_cluster) {
    const bool adds = execution.instruction.op == Op::kSm70_UBLKRED;
    return bytes.count == kUnit ? order.copy_to(warp, bytes, lane, adds) : AccessFault::kNone;
  }
  return ends_at_barrier(execution.instruction) ? order.copy_from(warp, bytes, lane)
                                                : order.access_by_copy(warp, bytes);
}

AccessFault fault_of(const Execution& execution, const AccessedBytes& bytes, unsigned lane,
                     bool by_cluster) {
  AccessOrder& order = *execution.block.order();
  const AccessOrder::Warp warp = warp_of(execution);
  const Op op = execution.instruction.op;
  if (!order.has_started(warp, bytes.rank)) return AccessFault::kNotStarted;
  if (is_bulk_copy(op)) return fault_of_copy(execution, bytes, lane, by_cluster);
  if (op == Op::kSm70_LDGSTS) return order.load_to(warp, bytes);
  if (is_group_product(op)) return order.access_by_product(warp, bytes);
  return is_asynchronous(op) ? AccessFault::kNone : order.access(warp, bytes, stores_words(op));
}

void report_fault(const Execution& execution, AccessFault fault, unsigned lane) {
  if (fault != AccessFault::kNone) report_undefined(execution, 1u << lane, text_of(fault));
}

constexpr const char* kNobodyWaited = "reaches bytes of a copy that no warp has waited for";

/// Reports an access to shared memory that meets an asynchronous one.
void follow(const Execution& execution, const Block& block, const AccessedBytes& bytes,
            unsigned lane, bool by_cluster) {
  const AccessFault fault = fault_of(execution, bytes, lane, by_cluster);
  if (fault == AccessFault::kNotAwaited && block.is_awaited(bytes.offset, bytes.count))
    return report_undefined(execution, 1u << lane, kNobodyWaited);
  report_fault(execution, fault, lane);
}

void follow_global(const Execution& execution, uint64_t address, unsigned bytes, unsigned lane) {
  AccessOrder& order = *execution.block.order();
  const AccessedBytes range{AccessedBytes::kGlobal, address, bytes};
  if (copies_to_global(execution.instruction))
    return report_fault(execution, order.access_by_copy(warp_of(execution), range), lane);
  if (stores_words(execution.instruction.op)) order.write_words(warp_of(execution), address);
  if (!order.follows_global()) return;
  report_fault(execution, order.access(warp_of(execution), range), lane);
}

Access locate_in(Block& block, Execution& execution, uint64_t offset, unsigned bytes, unsigned lane,
                 bool by_cluster) {
  if (!block.shared.contains(offset, bytes)) {
    fail(execution,
         fmt::format("{} bytes at shared address 0x{:x}, outside the block's {} bytes (--shared "
                     "adds to them)",
                     bytes, offset, block.shared.size()),
         lane, LaunchFault::kAddress);
  }
  block.shared_used = std::max(block.shared_used, static_cast<uint32_t>(offset) + bytes);
  if (block.order() != nullptr) {
    follow(execution, block, {block.rank, offset, bytes}, lane, by_cluster);
    return {&block.shared, offset};
  }
  if (block.awaited.empty()) return {&block.shared, offset};
  if (!is_bulk_copy(execution.instruction.op) && block.is_awaited(offset, bytes))
    report_undefined(execution, 1u << lane, kNobodyWaited);
  return {&block.shared, offset};
}

/// An access to the block's own shared memory. An H100 reports "illegal instruction" if the address
/// has another block's rank.
Access locate_shared(Execution& execution, uint64_t address, unsigned bytes, unsigned lane) {
  const Block& block = execution.block;
  if (block.shared_base != 0 && address >> Cluster::kRankBit != block.rank) {
    fail(execution,
         fmt::format("shared address 0x{:x} has not the block's own rank {}", address, block.rank),
         lane);
  }
  return locate_in(execution.block, execution, address - block.shared_base, bytes, lane, false);
}

Access locate_in_cluster(Execution& execution, uint64_t address, unsigned bytes, unsigned lane) {
  return locate_in(block_at(execution, address, lane), execution, shared_offset(address), bytes,
                   lane, true);
}

Access locate_local(Execution& execution, uint64_t address, unsigned bytes, unsigned lane) {
  LocalMemory& local = execution.warp.local;
  Access access;
  access.storage = local.find(lane, address, bytes, &access.offset);
  if (access.storage == nullptr) {
    fail(execution,
         fmt::format("{} bytes at local address 0x{:x}, outside the thread's {} bytes", bytes,
                     address, local.bytes_per_lane()),
         lane, LaunchFault::kAddress);
  }
  return access;
}

Access locate_global(Execution& execution, uint64_t address, unsigned bytes, unsigned lane) {
  Access access;
  access.storage = execution.block.grid.memory.find(address, bytes, &access.offset);
  if (access.storage == nullptr) {
    fail(execution,
         fmt::format("{} bytes at address 0x{:x}, outside every buffer{}", bytes, address,
                     execution.block.grid.memory.nearest(address)),
         lane, LaunchFault::kAddress);
  }
  if (execution.block.order() != nullptr) follow_global(execution, address, bytes, lane);
  return access;
}

/// Finds an argument of the kernel by its generic address; false if the address is elsewhere.
bool locate_argument(Execution& execution, uint64_t address, unsigned bytes, unsigned lane,
                     Access* access) {
  Storage& arguments = execution.block.grid.arguments;
  access->offset = address - LaunchLayout::kArgumentsAddress;
  if (!arguments.contains(access->offset, bytes)) return false;
  const OpKind kind = facts(execution.instruction.op).kind;
  if (kind == OpKind::kStore || kind == OpKind::kAtomic || kind == OpKind::kAtomicStore) {
    fail(execution,
         fmt::format("{} bytes at address 0x{:x}, among the kernel's arguments, which are constant",
                     bytes, address),
         lane, LaunchFault::kAddress);
  }
  access->storage = &arguments;
  return true;
}

/// The addresses; lanes that do not execute get the address of an executing lane.
LaneAddresses of_executing(const LaneAddresses& addresses, LaneMask lanes) {
  LaneAddresses out = addresses;
  if (lanes == kAllLanes) return out;
  const uint64_t any = addresses[static_cast<unsigned>(__builtin_ctz(lanes))];
  for_each_lane(~lanes, [&](unsigned lane) { out[lane] = any; });
  return out;
}

uint32_t highest(const LaneValues& values) {
  uint32_t most = 0;
  for (const uint32_t value : values) most = std::max(most, value);
  return most;
}

/// True if an address has 64 bits: always for the source of a copy, otherwise as the operand says.
bool is_long_address(const Execution& execution, const Operand& operand) {
  return operand.count == 2 ||
         (execution.instruction.op == Op::kSm70_LDGSTS && &operand == &execution.operand(Role::kA));
}

}  // namespace

/// A descriptor adds nothing: it says how an access is cached, not where it is.
uint64_t uniform_base(const Execution& execution, const Operand& operand) {
  if (!operand.has_uniform || operand.is_descriptor || operand.uniform == kRZ) return 0;
  const uint64_t low = execution.warp.uniform(operand.uniform);
  return is_long_address(execution, operand)
             ? uint64_t{execution.warp.uniform(operand.uniform + 1u)} << 32 | low
             : low;
}

const LaneAddresses& resolve_addresses(Execution& execution, Role role) {
  const Operand& operand = execution.operand(role);
  const bool is_long = is_long_address(execution, operand);
  const bool wide = is_long && (!operand.has_uniform || operand.is_wide);
  const SourceOperand low(execution, role);
  const SourceOperand high(execution, role, wide ? 1 : 0);
  const uint64_t offset = uniform_base(execution, operand) + static_cast<uint64_t>(operand.value);
  const uint64_t mask = is_long ? ~uint64_t{0} : 0xFFFFFFFFu;
  const unsigned shift = operand.scale == 0 ? 0 : operand.scale + 1u;
  LaneAddresses& addresses = execution.block.addresses;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint64_t base = wide ? uint64_t{high[lane]} << 32 | low[lane] : low[lane];
    addresses[lane] = ((base << shift) + offset) & mask;
  }
  execution.addresses = &addresses;
  if (execution.warp.marked && operand.index != kRZ) {
    LaneMask undefined = execution.warp.register_marks[operand.index].undefined;
    if (wide) undefined |= execution.warp.register_marks[operand.index + 1].undefined;
    report_undefined(execution, undefined & execution.lanes, "uses an undefined address");
  }
  return addresses;
}

void note_marks(Marks& marks, unsigned lane, uint8_t found) {
  if ((found & Storage::kUndefined) != 0) marks.undefined |= 1u << lane;
}

uint8_t marks_of_lane(const Marks& marks, unsigned lane) {
  return bit_of(marks.undefined, lane) ? Storage::kUndefined : uint8_t{0};
}

void mark_loaded(Execution& execution, Role role, unsigned words, const Marks& marks) {
  Warp& warp = execution.warp;
  if (marks.any()) warp.marked = true;
  const Operand& target = execution.operand(role);
  if (!warp.marked || target.index == kRZ) return;
  for (unsigned word = 0; word < words; ++word) {
    Marks& old = warp.register_marks[target.index + word];
    old = old.replaced(marks, execution.lanes);
  }
}

Marks stored_marks(Execution& execution, Role role, unsigned words) {
  const Operand& data = execution.operand(role);
  Marks marks;
  if (!execution.warp.marked || !data.is_live_register()) return marks;
  for (unsigned word = 0; word < words; ++word) {
    marks = marks | execution.warp.register_marks[data.index + word];
  }
  report_undefined(execution, marks.undefined & execution.lanes, "stores an undefined value");
  return marks;
}

Block& block_at(Execution& execution, uint64_t address, unsigned lane) {
  const uint64_t rank = address >> Cluster::kRankBit;
  Block& self = execution.block;
  if (rank == self.rank) return self;
  const Cluster& cluster = *self.cluster;
  if (rank >= cluster.size()) {
    fail(execution,
         fmt::format("reaches the shared memory of rank {} of a cluster of {} blocks", rank,
                     cluster.size()),
         lane, LaunchFault::kAddress);
  }
  Block* const other = cluster.block(static_cast<uint32_t>(rank));
  if (other == nullptr || other->is_over()) {
    fail(execution,
         fmt::format("reaches the shared memory of rank {} of its cluster, whose block has ended; "
                     "expected a barrier of the cluster in front of that end",
                     rank),
         lane, LaunchFault::kAddress);
  }
  return *other;
}

Access locate(Execution& execution, Space space, uint64_t address, unsigned bytes, unsigned lane) {
  if ((address & (bytes - 1)) != 0) {
    fail(execution,
         fmt::format("address 0x{:x} is not a multiple of the access's {} bytes", address, bytes),
         lane, LaunchFault::kAlignment);
  }
  if (space == Space::kGeneric) {
    const Windows& windows = windows_of(execution);
    if (windows.holds_shared(address))
      return locate_in_cluster(execution, address - windows.shared, bytes, lane);
    if (Windows::holds(windows.local, address))
      return locate_local(execution, address - windows.local, bytes, lane);
    Access argument;
    if (address >= LaunchLayout::kArgumentsAddress &&
        locate_argument(execution, address, bytes, lane, &argument))
      return argument;
  }
  if (space == Space::kShared) return locate_shared(execution, address, bytes, lane);
  if (space == Space::kCluster) return locate_in_cluster(execution, address, bytes, lane);
  if (space == Space::kLocal) return locate_local(execution, address, bytes, lane);
  return locate_global(execution, address, bytes, lane);
}

CommonAccess locate_together(Execution& execution, Space space, const LaneAddresses& addresses,
                             unsigned bytes) {
  CommonAccess found;
  if (space == Space::kLocal || space == Space::kCluster) return found;
  const LaneAddresses at = of_executing(addresses, execution.lanes);
  Block& block = execution.block;
  const bool is_shared = space == Space::kShared;
  const AccessOrder* const order = block.order();
  const bool is_followed = order != nullptr && (is_shared || order->follows_global());
  if (is_followed) return found;  // each lane is checked
  uint64_t offset = at[0] - block.shared_base;
  Storage* const memory = is_shared ? &block.shared : block.grid.memory.find(at[0], bytes, &offset);
  if (memory == nullptr || memory->size() < bytes) return found;
  const uint64_t base = at[0] - offset;
  const uint64_t last = memory->size() - bytes;
  uint64_t outside = 0, bits = 0;  // the top bit of `outside`: beyond one of the ends
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint64_t lane_offset = at[lane] - base;
    outside |= lane_offset | (last - lane_offset);
    bits |= at[lane];
    found.offsets[lane] = static_cast<uint32_t>(lane_offset);
  }
  if ((outside >> 63) != 0 || (bits & (bytes - 1)) != 0) return found;
  if (is_shared && !block.awaited.empty()) {
    const uint32_t first = *std::min_element(found.offsets.begin(), found.offsets.end());
    const bool meets = block.is_awaited(first, highest(found.offsets) - first + bytes);
    if (meets) return found;  // each lane is checked
  }
  if (is_shared) block.shared_used = std::max(block.shared_used, highest(found.offsets) + bytes);
  found.memory = memory;
  return found;
}

}  // namespace shflsim::isa
