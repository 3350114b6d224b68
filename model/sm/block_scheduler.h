// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "model/core/cycle.h"
#include "model/core/kept_cycle.h"
#include "model/core/module.h"
#include "model/core/occupancy.h"
#include "model/core/parameter.h"
#include "traces/trace.h"

namespace shflsim::model {

struct BlockParams {
  uint32_t max_warps = 0;
  uint32_t max_blocks = 0;
  uint32_t registers = 0;
  uint32_t register_unit = 0;
  uint32_t shared_bytes = 0;
  uint32_t shared_unit = 0;
  uint32_t shared_reserved = 0;
  uint32_t barriers = 0;
  uint32_t first_latency = 0;
  uint32_t launch_latency = 0;
  uint32_t block_interval = 0;
  uint32_t warp_interval = 0;
  uint32_t warp_step = 0;
  uint32_t block_shift = 0;
  uint32_t refill_interval = 0;
  uint32_t gpcs = 0;

  void list(ParameterList& out);
  /// The occupancy by the trace's launch on a chip of `sms` SMs.
  Occupancy occupancy(const traces::Trace& trace, unsigned sms = 1) const;
  /// Shared memory of the blocks that fit, bytes; 0 if a block has none of its own.
  uint32_t shared_bytes_of(const traces::Trace& trace) const;

 private:
  uint32_t blocks_by_registers(const traces::Trace& trace) const;
  uint32_t blocks_by_shared_memory(const traces::Trace& trace) const;
  uint32_t blocks_by_barriers(const traces::Trace& trace) const;
};

/// The room of an SM for thread blocks: which warps belong to which resident block, and when
/// another block may start. Warps are identified by SM slot = slot * 4 + sub-partition.
class BlockScheduler : public Module {
 public:
  BlockScheduler(const sc_core::sc_module_name& name, const BlockParams& params,
                 const traces::Trace& trace);

  const char* kind() const override { return "BlockScheduler"; }
  const char* hardware() const override { return "places of the SM for thread blocks"; }
  const char* section() const override { return "sm"; }

  /// False if not even one block fits.
  bool fits() const { return !blocks_.empty(); }
  /// First cycle from `now` on in which a block may start, as far as known.
  Cycle room_from(Cycle now) const { return std::max(room_.get(), now); }
  /// First cycle in which a block may start in a place that a block has left since watch_places().
  Cycle freed_room() const { return freed_room_; }
  void watch_places() { freed_room_ = kNever; }
  void keep_room_at(Cycle* place) { room_.keep_at(place); }
  bool is_empty() const { return running_warps_ == 0; }
  /// The number of free places at `now`, and the first later cycle with another free place.
  unsigned free_places(Cycle now) const;
  Cycle next_place(Cycle now) const;
  /// Sub-partition of the next block's first warp, modulo their number. Warps go to them in turn.
  unsigned first_sub_partition() const { return first_sub_partition_; }

  /// True if a block that starts at `now` takes the place of an earlier block.
  bool replaces(Cycle now) const { return blocks_[free_place(now)].ended; }
  /// A place for a block that may start at `now`.
  unsigned free_place(Cycle now) const;
  void start(unsigned place, unsigned warps, Cycle now);
  /// The warp in this slot belongs to the block at this place.
  void put(unsigned sm_slot, unsigned place) { place_of_[sm_slot] = place; }
  unsigned place_of(unsigned sm_slot) const { return place_of_[sm_slot]; }
  /// Returns true if it was the last warp of its block.
  bool finished(unsigned sm_slot, Cycle now);

 private:
  struct Block {
    unsigned warps = 0;  ///< warps not yet finished
    Cycle ready = 0;     ///< if it has no warps: a new block may start then
    bool ended = false;  ///< an earlier block was here
  };

  void find_room();

  const Cycle launch_latency_;
  const Cycle block_interval_;
  const Cycle warp_interval_;
  const uint32_t block_shift_;
  std::vector<unsigned> place_of_;  ///< by SM slot
  std::vector<Block> blocks_;       ///< by place
  KeptCycle room_{0};               ///< first cycle in which a block may start
  Cycle freed_room_ = kNever;
  Cycle next_start_ = 0;  ///< ... if there is a place
  unsigned running_warps_ = 0;
  unsigned first_sub_partition_ = 0;
};

}  // namespace shflsim::model
