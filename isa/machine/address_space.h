// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/machine/execution.h"

namespace shflsim::isa {

/// Where a memory instruction looks.
enum class Space : uint8_t { kGlobal, kShared, kLocal, kGeneric };

// The windows through which generic addresses reach a block's shared and a thread's local memory;
// the driver gives their bases in constant bank 0 at 0x0 and 0x4. Here they lie below 4 GiB, 16 MiB
// each, where no buffer is.
constexpr uint64_t kSharedWindow = 0x01000000;
constexpr uint64_t kLocalWindow = 0x02000000;
constexpr uint64_t kWindowBytes = 0x01000000;

inline bool in_window(uint64_t address, uint64_t base) {
  return address >= base && address - base < kWindowBytes;
}

/// Whether a generic address means shared or local memory.
inline bool in_windows(uint64_t address) {
  return in_window(address, kSharedWindow) || in_window(address, kLocalWindow);
}

/// Bytes of one lane's access, found: a memory and the offset in it.
struct Access {
  Storage* storage = nullptr;
  uint64_t offset = 0;
};

/// Fills Block::addresses from the memory operand A (register or register pair plus offset), shows
/// them to the observer, and reports lanes whose address is undefined.
const LaneAddresses& resolve_addresses(Execution& execution, Role role = Role::kA);

/// Calls f(lane) for every executing lane, lowest first.
template <class F>
void for_each_lane(LaneMask lanes, F f) {
  for (; lanes != 0; lanes &= lanes - 1) f(static_cast<unsigned>(__builtin_ctz(lanes)));
}

/// Marks of one lane's value in memory (Storage::kUndefined, kApproximate), both ways.
void note_marks(Marks& marks, unsigned lane, uint8_t found);
uint8_t marks_of_lane(const Marks& marks, unsigned lane);

/// What `lane` reaches at `address`. Raises an error for an address that is not a multiple of
/// `bytes`, or outside what the space holds.
Access locate(Execution& execution, Space space, uint64_t address, unsigned bytes, unsigned lane);

/// The one memory that all executing lanes reach, where that can be told at once: no local memory,
/// no mixture of buffers, every address aligned. A lane's offset in it is its address minus `base`.
/// memory is nullptr where the lanes have to be looked at one by one.
struct CommonAccess {
  Storage* memory = nullptr;
  uint64_t base = 0;
};
CommonAccess locate_together(Execution& execution, Space space, const LaneAddresses& addresses,
                             unsigned bytes);

}  // namespace shflsim::isa
