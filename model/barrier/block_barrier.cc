// SPDX-License-Identifier: Apache-2.0
#include "model/barrier/block_barrier.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace shflsim::model {

BlockBarrier::BlockBarrier(const sc_core::sc_module_name& name, const BarrierParams& params,
                           unsigned blocks)
    : Module(name), params_(params), blocks_(blocks) {}

void BlockBarrier::start_block(unsigned block_slot, unsigned warps) {
  blocks_[block_slot] = {warps, {}, 0};
}

void BlockBarrier::arrive(unsigned block_slot, unsigned sm_slot, Cycle now) {
  Block& block = blocks_[block_slot];
  assert(block.waiting.size() < block.running && "only running warps arrive");
  block.waiting.push_back(sm_slot);
  block.last_arrival = std::max(now, free_);
  free_ = block.last_arrival + params_.hold;
  release_if_complete(block, now);
}

void BlockBarrier::exit(unsigned block_slot, Cycle now) {
  Block& block = blocks_[block_slot];
  assert(block.running != 0 && "only a running warp exits");
  --block.running;
  release_if_complete(block, now);
}

void BlockBarrier::release_if_complete(Block& block, Cycle now) {
  if (block.waiting.empty() || block.waiting.size() != block.running) return;
  const Cycle complete = std::max(now, block.last_arrival);
  for (const unsigned sm_slot : block.waiting)
    releases_.push_back({sm_slot, complete + params_.latency});
  block.waiting.clear();
}

std::vector<BlockBarrier::Release> BlockBarrier::take_releases() {
  return std::exchange(releases_, {});
}

}  // namespace shflsim::model
