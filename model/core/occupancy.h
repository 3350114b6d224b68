// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace shflsim::model {

/// What limits the number of a launch's blocks that are resident in an SM.
enum class BlockLimit : uint8_t {
  kRegisters,
  kSharedMemory,
  kWarps,
  kBlocks,
  kBarriers,
  kLaunch,  ///< the grid has no more blocks for the SM
};
constexpr size_t kBlockLimits = 6;
/// "shared_memory"
constexpr const char* block_limit_name(BlockLimit limit) {
  constexpr const char* kNames[kBlockLimits] = {"registers", "shared_memory", "warps",
                                                "blocks",    "barriers",      "launch"};
  return kNames[static_cast<size_t>(limit)];
}

/// The blocks of a launch that an SM can hold at a time, by each of its limits, as in CUDA's
/// occupancy calculator (cuda_occupancy.h of CUDA 13.0).
struct Occupancy {
  static constexpr uint32_t kUnlimited = 0xFFFFFFFFu;

  uint32_t max_warps = 0;  ///< most warps that the SM can hold
  uint32_t warps_per_block = 0;
  std::array<uint32_t, kBlockLimits> blocks = {kUnlimited, kUnlimited, kUnlimited,
                                               kUnlimited, kUnlimited, kUnlimited};

  uint32_t by(BlockLimit limit) const { return blocks[static_cast<size_t>(limit)]; }
  void limit(BlockLimit limit, uint32_t to) { blocks[static_cast<size_t>(limit)] = to; }
  /// Blocks that are resident at the same time.
  uint32_t resident_blocks() const { return *std::min_element(blocks.begin(), blocks.end()); }
  /// Blocks that would be resident if the grid were large enough.
  uint32_t blocks_that_fit() const { return *std::min_element(blocks.begin(), blocks.end() - 1); }
  uint32_t resident_warps() const { return resident_blocks() * warps_per_block; }

  template <class Self, class Member>
  static void visit(Self& self, Member&& member) {
    member(self.max_warps), member(self.warps_per_block), member(self.blocks);
  }
};

}  // namespace shflsim::model
