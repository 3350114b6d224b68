// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/cluster.h"

#include "isa/machine/block.h"

namespace shflsim::isa {

bool Cluster::arrive(Block& block, uint32_t warp) {
  uint32_t& arrivals = block.warps[warp].cluster_arrivals;
  if (arrivals > phases_) return false;
  arrivals = phases_ + 1;
  ++arrived_;
  end_phase_if_complete();
  return true;
}

bool Cluster::has_passed(const Block& block, uint32_t warp) const {
  return block.warps[warp].cluster_arrivals <= phases_;
}

void Cluster::lanes_ended() {
  if (arrived_ != 0) end_phase_if_complete();
}

/// Warps that have ended count as arrived.
void Cluster::end_phase_if_complete() {
  for (const Block* block : blocks_) {
    if (block == nullptr) continue;
    for (const Warp& warp : block->warps) {
      if (warp.state != Warp::State::kDone && !warp.convergence.done() &&
          warp.cluster_arrivals <= phases_)
        return;
    }
  }
  ++phases_;
  arrived_ = 0;
  for (Block* block : blocks_) {
    if (block != nullptr) block->leave_cluster_barrier();
  }
}

}  // namespace shflsim::isa
