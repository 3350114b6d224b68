// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/core/facts.h"
#include "traces/trace.h"

namespace shflsim::model {

constexpr uint32_t kLineBytes = 128;
constexpr uint32_t kSectorBytes = 32;  ///< smallest transfer to and from the L2, bytes
constexpr unsigned kSectors = kLineBytes / kSectorBytes;

/// The bytes of one line that a warp instruction touches.
struct LineTouch {
  uint64_t line = 0;  ///< byte address / 128
  std::array<uint64_t, 2> bytes{};
  uint32_t atomic_steps = 0;  ///< as WarpAccess::atomic_steps, for this line
  uint32_t atomic_most = 0;   ///< the most lanes on one word

  unsigned sector_mask() const;
  unsigned sectors() const { return static_cast<unsigned>(__builtin_popcount(sector_mask())); }
  /// True if a sector is touched only in part.
  bool is_partial() const;
};

/// The memory that the addresses of an access refer to.
enum class Reach : uint8_t {
  kMemory,      ///< global or local memory
  kOwnBlock,    ///< shared memory of the own block, by generic addresses
  kOtherBlock,  ///< shared memory of another block of the cluster
};

/// The addresses of a warp instruction as the L1 sees them. The L1's data are in 32 banks of 4
/// bytes, one line per row; a bank delivers one word per cycle, to any number of lanes. Tags are in
/// 4 banks, each of which looks up one line per cycle.
///
/// Measured on an H200 (scripts/lab/hw/measure_memory): the wavefronts of all lanes together hold
/// the L1. The result of a load of 8 bytes per lane comes later, as if each half of the warp were a
/// separate access; with more than 8 bytes, as if each quarter were. This gives the latency of 84
/// of 87 patterns and widths to the cycle; three with random words of 32 lines take one cycle more.
/// The tag bank of a line is assumed.
struct WarpAccess {
  Reach reach = Reach::kMemory;  ///< the rest is for memory, and for atomics in other blocks
  uint32_t own_block = 0;        ///< the block of the warp
  uint32_t slot = 0;             ///< SM slot of the warp
  std::vector<LineTouch> lines;  ///< ordered by the lowest lane that touches each
  uint32_t wavefronts = 1;       ///< passes over the banks of data
  uint32_t part_wavefronts = 1;  ///< passes if halves or quarters of the warp access separately
  uint32_t tag_cycles = 1;       ///< cycles of the tag bank with the most lines
  uint32_t sectors = 0;
  uint32_t partial_lines = 0;  ///< lines with a sector touched only in part
  uint32_t copy_cycles = 1;    ///< copies past the L1: cycles that writing shared memory takes
  uint32_t atomic_steps = 0;   ///< sum over sectors of the most lanes on one word

  /// `bytes`: bytes that a lane reads or writes, from 1 to 16. `warp`: number for local memory,
  /// unique among the warps on the chip.
  void coalesce(const traces::LaneAddresses& addresses, isa::LaneMask lanes, uint32_t bytes,
                const AccessFacts& facts, uint64_t warp);
  /// The same for copies by LDGSTS, whose row has an isa::CopiedLane for each lane.
  void coalesce_copies(const traces::LaneAddresses& row, isa::LaneMask lanes, uint32_t bytes,
                       const AccessFacts& facts);

 private:
  void coalesce_local(const traces::LaneAddresses& addresses, isa::LaneMask lanes, uint32_t bytes,
                      uint64_t warp);
};

}  // namespace shflsim::model
