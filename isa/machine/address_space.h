// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/base/bounded.h"
#include "isa/machine/execution.h"

namespace shflsim::isa {

/// The state space of a memory instruction.
enum class Space : uint8_t {
  kGlobal,
  kShared,   ///< shared memory of the block
  kCluster,  ///< shared memory of a block of the cluster, whose rank is in the address
  kLocal,
  kGeneric,
};

/// The windows through which generic addresses reach shared memory and a thread's local memory:
/// 16 MiB for each block of a cluster and for a thread, outside all buffers. The driver chooses
/// their bases (isa/code/launch_layout.h, SR_SWINHI).
struct Windows {
  static constexpr uint64_t kBytes = 0x01000000;
  uint64_t shared;
  uint64_t local;
  uint64_t shared_bytes;

  static bool holds(uint64_t base, uint64_t address) { return address - base < kBytes; }
  bool holds_shared(uint64_t address) const { return address - shared < shared_bytes; }
  /// True if a generic address is in shared or local memory.
  bool hold(uint64_t address) const { return holds_shared(address) || holds(local, address); }
};
/// SPA 5.0 has 32-bit bases. From sm_70 on a generic address's lower word is the shared address.
constexpr Windows kMaxwellWindows = {0x01000000, 0x02000000, Windows::kBytes};
constexpr Windows kSm70Windows = {uint64_t{0x7f00} << 32, uint64_t{0x7f01} << 32,
                                  kMostClusterBlocks* Windows::kBytes};
inline const Windows& windows_of(Family family) {
  return family == Family::kMaxwell ? kMaxwellWindows : kSm70Windows;
}
inline const Windows& windows_of(const Execution& execution) {
  return windows_of(family_of(execution.instruction.arch));
}

/// The place of one lane's access: a memory and the offset in it.
struct Access {
  Storage* storage = nullptr;
  uint64_t offset = 0;
};

/// Fills Block::addresses from the memory operand A (registers, uniform registers, offset), shows
/// them to the observer, and reports lanes whose address is undefined.
const LaneAddresses& resolve_addresses(Execution& execution, Role role = Role::kA);

/// The value that the uniform register of this operand adds to an address; 0 if it has none.
uint64_t uniform_base(const Execution& execution, const Operand& operand);

/// Calls f(lane) for every executing lane, lowest first.
template <class F>
void for_each_lane(LaneMask lanes, F f) {
  for (; lanes != 0; lanes &= lanes - 1) f(static_cast<unsigned>(__builtin_ctz(lanes)));
}

/// Convert between lane marks and the marks of a lane's value in memory (Storage::kUndefined).
void note_marks(Marks& marks, unsigned lane, uint8_t found);
uint8_t marks_of_lane(const Marks& marks, unsigned lane);

/// Gives the registers of `role`, in the executing lanes, the marks of the loaded values.
void mark_loaded(Execution& execution, Role role, unsigned words, const Marks& marks);
/// The marks of registers that are stored; a store of undefined values is reported.
Marks stored_marks(Execution& execution, Role role, unsigned words);

/// The place that `lane` accesses at `address`. Raises an error if the address is not a multiple of
/// `bytes`, or is outside the memory of the space.
Access locate(Execution& execution, Space space, uint64_t address, unsigned bytes, unsigned lane);
/// The block whose shared memory contains an address of the cluster. Raises an error if the block
/// does not exist or has ended.
Block& block_at(Execution& execution, uint64_t address, unsigned lane);
/// The offset in its block of an address of shared memory, of the block or of the cluster.
inline uint64_t shared_offset(uint64_t address) { return address % Windows::kBytes; }

/// The memory that all executing lanes access, found by a quick test: no local memory, only one
/// buffer, every address aligned. `memory` is nullptr if the test fails and the lanes have to be
/// handled one by one.
struct CommonAccess {
  Storage* memory = nullptr;
  LaneValues offsets;  ///< bytes; lanes that do not execute have the offset of an executing lane
};
CommonAccess locate_together(Execution& execution, Space space, const LaneAddresses& addresses,
                             unsigned bytes);

}  // namespace shflsim::isa
