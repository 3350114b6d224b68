// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/base/bounded.h"
#include "isa/machine/execution.h"

namespace shflsim::isa {

/// Where a memory instruction looks.
enum class Space : uint8_t {
  kGlobal,
  kShared,   ///< of the block
  kCluster,  ///< shared memory of a block of the cluster, whose rank is in the address
  kLocal,
  kGeneric,
};

/// The windows through which generic addresses reach shared memory and a thread's local memory, 16
/// MiB for each block of a cluster and for a thread, where no buffer is. Their bases are the
/// driver's choice (isa/code/launch_layout.h, SR_SWINHI).
struct Windows {
  static constexpr uint64_t kBytes = 0x01000000;
  uint64_t shared;
  uint64_t local;
  uint64_t shared_bytes;

  static bool holds(uint64_t base, uint64_t address) { return address - base < kBytes; }
  bool holds_shared(uint64_t address) const { return address - shared < shared_bytes; }
  /// Whether a generic address means shared or local memory.
  bool hold(uint64_t address) const { return holds_shared(address) || holds(local, address); }
};
/// SPA 5.0 has 32 bits for them. From sm_70 on the lower word is the shared address itself.
constexpr Windows kMaxwellWindows = {0x01000000, 0x02000000, Windows::kBytes};
constexpr Windows kSm70Windows = {uint64_t{0x7f00} << 32, uint64_t{0x7f01} << 32,
                                  kMostClusterBlocks* Windows::kBytes};
inline const Windows& windows_of(Family family) {
  return family == Family::kMaxwell ? kMaxwellWindows : kSm70Windows;
}
inline const Windows& windows_of(const Execution& execution) {
  return windows_of(family_of(execution.instruction.arch));
}

/// Bytes of one lane's access, found: a memory and the offset in it.
struct Access {
  Storage* storage = nullptr;
  uint64_t offset = 0;
};

/// Fills Block::addresses from the memory operand A (registers, uniform registers, offset), shows
/// them to the observer, and reports lanes whose address is undefined.
const LaneAddresses& resolve_addresses(Execution& execution, Role role = Role::kA);

/// What the uniform register of this operand adds to an address; 0 if it has none.
uint64_t uniform_base(const Execution& execution, const Operand& operand);

/// Calls f(lane) for every executing lane, lowest first.
template <class F>
void for_each_lane(LaneMask lanes, F f) {
  for (; lanes != 0; lanes &= lanes - 1) f(static_cast<unsigned>(__builtin_ctz(lanes)));
}

/// Marks of one lane's value in memory (Storage::kUndefined), both ways.
void note_marks(Marks& marks, unsigned lane, uint8_t found);
uint8_t marks_of_lane(const Marks& marks, unsigned lane);

/// Marks the registers of `role`, in the executing lanes, as what has been loaded into them is.
void mark_loaded(Execution& execution, Role role, unsigned words, const Marks& marks);
/// The marks of registers that are stored; a store of undefined values is reported.
Marks stored_marks(Execution& execution, Role role, unsigned words);

/// What `lane` reaches at `address`. Raises an error for an address that is not a multiple of
/// `bytes`, or outside what the space holds.
Access locate(Execution& execution, Space space, uint64_t address, unsigned bytes, unsigned lane);
/// The block of the cluster whose shared memory an address of the cluster is in. Raises an error
/// if there is none, or no longer.
Block& block_at(Execution& execution, uint64_t address, unsigned lane);
/// Where an address of shared memory, of the block or of the cluster, is in its block.
inline uint64_t shared_offset(uint64_t address) { return address % Windows::kBytes; }

/// The one memory that all executing lanes access, where that is easily seen: no local memory, no
/// mixture of buffers, every address aligned. `memory` is nullptr if the lanes have to be looked
/// at one by one.
struct CommonAccess {
  Storage* memory = nullptr;
  LaneValues offsets;  ///< in bytes; a lane that does not execute has that of an executing one
};
CommonAccess locate_together(Execution& execution, Space space, const LaneAddresses& addresses,
                             unsigned bytes);

}  // namespace shflsim::isa
