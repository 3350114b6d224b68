// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "isa/lanes/lane_map.h"
#include "traces/trace.h"

namespace shflsim::traces {

/// How the lanes of a warp access shared memory, or how many values they have for MATCH.ANY.
struct SharedPattern {
  /// In words: lane i starts at word i * stride, or next to lane i - 1. 0: all lanes have one
  /// address.
  uint32_t stride = 1;
  uint32_t values = 1;  ///< different values
};

/// "" or "row", "chase" and "block" (each lane has its own word), "stride:N" or "strideN",
/// "same" (one address), "values:N". Throws InputError that begins with `where`.
SharedPattern shared_pattern(const std::string& text, const std::string& where);

/// What a listing does not say about a timed run.
struct RegionOptions {
  uint32_t warps = 1;
  bool one_sub_partition = false;      ///< otherwise the warps use all sub-partitions in turn
  SharedPattern shared;                ///< pattern of address registers that `bases` lacks
  std::map<int, SharedPattern> bases;  ///< by address register, or source of MATCH
  isa::LaneValues lanes{};             ///< value of all lane-index registers
  uint32_t iterations = 4;  ///< iterations of the loop around the region; the last one is timed
  bool epilogue = true;     ///< replay what follows the loop
  uint32_t skew = 80;       ///< delay of each further row of four warps, cycles
  uint32_t row_skew = 0;    ///< from the first to the fourth warp of a row, cycles
};

/// The trace of a microbenchmark of one block: a loop whose body has two reads of SR_CLOCKLO, and
/// the code after it. In the loop, guarded branches are not taken, except the back edge, and
/// unguarded forward jumps are taken; all other guards are true. If the timed warps are on one
/// sub-partition, the other warps skip the region by the kernel's first guarded branch in the loop.
/// Without a loop, only the region is replayed, once.
///
/// The loop and the code after it affect the measurement: warps that nothing synchronises stay as
/// far apart as they started, and stores after the loop share the memory pipe with slower warps.
///
/// Throws InputError if the kernel does not have two clock reads.
Trace region_trace(const isa::Code& kernel, const RegionOptions& options);

/// Clock reads of a warp that belong to the timed iteration; the first and the last of them are
/// used.
constexpr size_t kRegionClockReads = 2;

}  // namespace shflsim::traces
