// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "isa/lanes/lane_map.h"
#include "traces/trace.h"

namespace shflsim::traces {

/// How the lanes of a warp spread over shared memory.
struct SharedPattern {
  uint32_t stride = 1;  ///< in words: lane i starts at word i * stride, or next to lane i - 1
};

/// "" or "row", "chase" and "block" (each lane a word of its own), "stride:N" or "strideN". Throws
/// InputError, with `where` in front.
SharedPattern shared_pattern(const std::string& text, const std::string& where);

/// What a listing does not say of a timed run.
struct RegionOptions {
  uint32_t warps = 1;
  bool one_sub_partition = false;      ///< else the warps go to all sub-partitions in turn
  SharedPattern shared;                ///< pattern of address registers that `bases` does not name
  std::map<int, SharedPattern> bases;  ///< by address register
  isa::LaneValues lanes{};             ///< value of every lane-index register
  uint32_t iterations = 4;  ///< iterations of the loop around the region; the last one is timed
  bool epilogue = true;     ///< replay what follows the loop
  uint32_t skew = 80;       ///< cycles that each row of four warps enters later
};

/// The trace of a microbenchmark of one block: a loop whose body holds two reads of SR_CLOCKLO, and
/// the code behind it. In the loop, guarded branches are not taken, except the back edge, and jumps
/// forward without a guard are; every other guard is true. Where the timed warps are on one
/// sub-partition, the others jump over the region as the kernel's first guarded branch in the loop
/// says. Without a loop only the region is replayed, once.
///
/// The loop and its end affect what is measured: warps that nothing synchronises stay as far apart
/// as they started, and stores behind the loop share the memory pipe with slower warps.
///
/// Throws InputError if the kernel has no two clock reads.
Trace region_trace(const isa::Code& kernel, const RegionOptions& options);

/// Clock reads of a warp that belong to the timed iteration: the first and the last of these
/// matter.
constexpr size_t kRegionClockReads = 2;

}  // namespace shflsim::traces
