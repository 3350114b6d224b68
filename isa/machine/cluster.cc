// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/cluster.h"

#include <algorithm>

#include "isa/machine/block.h"

namespace shflsim::isa {

Block* Cluster::numbered(uint32_t index) const {
  const auto found = std::find_if(blocks_.begin(), blocks_.end(), [index](const Block* block) {
    return block != nullptr && block->index == index;
  });
  return found == blocks_.end() ? nullptr : *found;
}

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

/// True if all warps have arrived; warps that have ended count as arrived.
bool Cluster::is_complete() const {
  for (const Block* block : blocks_) {
    if (block == nullptr) continue;
    for (const Warp& warp : block->warps) {
      const bool is_over = warp.state == Warp::State::kDone || warp.convergence.done();
      if (!is_over && warp.cluster_arrivals <= phases_) return false;
    }
  }
  return true;
}

/// Ends a complete phase at once, or in a timed launch when the caller says so.
void Cluster::end_phase_if_complete() {
  if (is_ending_ || !is_complete()) return;
  const auto any = std::find_if(blocks_.begin(), blocks_.end(),
                                [](const Block* block) { return block != nullptr; });
  if (any == blocks_.end() || !(*any)->sm->is_timed()) return end_phase();
  is_ending_ = true;
  BulkCopy copy;
  copy.way = BulkCopy::Way::kCluster;
  copy.block = (*any)->index;
  copy.receivers.push_back({copy.block, 0});
  (*any)->sm->clock->events->copy_began(copy);
}

void Cluster::end_phase() {
  is_ending_ = false;
  arrived_ = 0;
  ++phases_;
  for (Block* block : blocks_) {
    if (block != nullptr) block->leave_cluster_barrier();
  }
}

}  // namespace shflsim::isa
