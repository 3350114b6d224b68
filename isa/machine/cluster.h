// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "isa/base/access_order.h"

namespace shflsim::isa {

class Block;

/// A cluster of thread blocks, from sm_90 on: they run at the same time, wait for each other at one
/// barrier and reach each other's shared memory. A block without others is a cluster of its own.
class Cluster {
 public:
  /// Addresses of shared memory have the block's rank above this bit (SR_CgaCtaId, as ptxas 13.0
  /// uses it).
  static constexpr unsigned kRankBit = 24;

  explicit Cluster(uint32_t blocks) : blocks_(blocks) {}

  uint32_t size() const { return static_cast<uint32_t>(blocks_.size()); }
  void put(uint32_t rank, Block* block) { blocks_[rank] = block; }
  /// nullptr if there is no such block, or no longer.
  Block* block(uint32_t rank) const { return rank < blocks_.size() ? blocks_[rank] : nullptr; }

  /// By its linear index in the grid; nullptr if there is no such block, or no longer.
  Block* numbered(uint32_t index) const;

  /// UCGABAR_ARV and UCGABAR_WAIT of a warp. False for an arrival while the warp's last one has yet
  /// to be waited for by the others.
  bool arrive(Block& block, uint32_t warp);
  bool has_passed(const Block& block, uint32_t warp) const;
  /// A warp, or lanes of it, have ended: the barrier no longer waits for them.
  void lanes_ended();
  /// All have arrived: the warps that wait go on.
  void end_phase();

  /// Follows the accesses to shared memory; nullptr if nobody asks for it.
  std::unique_ptr<AccessOrder> order;

 private:
  bool is_complete() const;
  void end_phase_if_complete();

  std::vector<Block*> blocks_;  ///< by rank
  uint32_t arrived_ = 0;        ///< warps in this phase; 0: nobody waits
  bool is_ending_ = false;      ///< all have arrived, and the caller says when the phase is over
  uint32_t phases_ = 0;         ///< that are over
};

}  // namespace shflsim::isa
