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
  blocks_[block_slot] = {warps, warps, {}};
}

void BlockBarrier::arrive(unsigned block_slot, unsigned sm_slot, const BarrierArrival& arrival,
                          Cycle now) {
  Block& block = blocks_[block_slot];
  Barrier& barrier = block.barriers[arrival.number];
  const SmSlots warp = SmSlots{1} << sm_slot;
  assert((barrier.waiting & warp) == 0 && "a warp that waits does not arrive");
  ++barrier.arrivals;
  barrier.wanted = arrival.warps;
  barrier.arrived |= warp;
  if (arrival.stops) barrier.waiting |= warp;
  barrier.last_arrival = std::max(now, free_);
  free_ = barrier.last_arrival + params_.hold;
  release_if_complete(block, &barrier, now);
}

void BlockBarrier::exit(unsigned block_slot, unsigned sm_slot, Cycle now) {
  Block& block = blocks_[block_slot];
  assert(block.running != 0 && "only a running warp exits");
  --block.running;
  for (Barrier& barrier : block.barriers) {
    barrier.arrived &= ~(SmSlots{1} << sm_slot);
    release_if_complete(block, &barrier, now);
  }
}

/// If more warps are wanted than the block has, waits for all warps that it started with.
bool BlockBarrier::is_complete(const Block& block, const Barrier& barrier) {
  if (barrier.wanted != 0) return barrier.arrivals >= std::min(barrier.wanted, block.started);
  return static_cast<unsigned>(__builtin_popcountll(barrier.arrived)) == block.running;
}

void BlockBarrier::release_if_complete(const Block& block, Barrier* barrier, Cycle now) {
  if (barrier->arrivals == 0 || !is_complete(block, *barrier)) return;
  const Cycle complete = std::max(now, barrier->last_arrival);
  for (SmSlots left = barrier->waiting; left != 0; left &= left - 1)
    releases_.push_back({static_cast<unsigned>(__builtin_ctzll(left)), complete + params_.latency});
  *barrier = Barrier{};
}

std::vector<BlockBarrier::Release> BlockBarrier::take_releases() {
  return std::exchange(releases_, {});
}

}  // namespace shflsim::model
