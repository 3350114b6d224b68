// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "isa/base/access_order.h"

namespace shflsim::isa {

class Block;

/// A cluster of thread blocks, from sm_90 on: the blocks run at the same time, wait for each other
/// at one barrier, and access each other's shared memory. Otherwise each block is a cluster of one.
class Cluster {
 public:
  /// Addresses of shared memory have the block's rank above this bit (SR_CgaCtaId, as ptxas 13.0
  /// uses it).
  static constexpr unsigned kRankBit = 24;

  explicit Cluster(uint32_t blocks) : blocks_(blocks) {}

  uint32_t size() const { return static_cast<uint32_t>(blocks_.size()); }
  void put(uint32_t rank, Block* block) { blocks_[rank] = block; }
  /// The block with this rank; nullptr if it does not exist or has ended.
  Block* block(uint32_t rank) const { return rank < blocks_.size() ? blocks_[rank] : nullptr; }

  /// The block with this linear index in the grid; nullptr if it is not in the cluster, or ended.
  Block* numbered(uint32_t index) const;

  /// UCGABAR_ARV of a warp; false if the phase of its last arrival is not over. has_passed(), for
  /// UCGABAR_WAIT: true if that phase is over.
  bool arrive(Block& block, uint32_t warp);
  bool has_passed(const Block& block, uint32_t warp) const;
  /// Called when a warp, or lanes of it, have ended: the barrier no longer waits for them.
  void lanes_ended();
  /// Ends the phase: the waiting warps continue.
  void end_phase();

  /// Follows the order of accesses to shared memory; nullptr if that is not requested.
  std::unique_ptr<AccessOrder> order;

 private:
  bool is_complete() const;
  void end_phase_if_complete();

  std::vector<Block*> blocks_;  ///< by rank
  uint32_t arrived_ = 0;        ///< warps that have arrived in this phase
  bool is_ending_ = false;      ///< all have arrived; the launch's caller will end the phase
  uint32_t phases_ = 0;         ///< number of phases that are over
};

}  // namespace shflsim::isa
