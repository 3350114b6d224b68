// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/core/cycle.h"
#include "model/core/module.h"
#include "model/core/parameter.h"

namespace shflsim::model {

struct BarrierParams {
  uint32_t latency = 0;
  uint32_t deferred = 0;
  uint32_t arrival = 0;
  uint32_t hold = 0;

  void list(ParameterList& out) {
    out.number("barrier.latency", &latency, 1, 256, "cycles",
               "last arrival to the first issue behind the barrier");
    out.flag("barrier.deferred", &deferred,
             "a barrier goes around the MIO queue, and stops its warp only before the next MIO or "
             "branch instruction");
    out.number("barrier.arrival", &arrival, 0, 64, "cycles",
               "deferred: issue to the warp's arrival");
    out.number("barrier.hold", &hold, 0, 64, "cycles", "from one warp's arrival to the next one's");
  }
};

/// Block barriers of an SM: warps of a block arrive with BAR.SYNC, and all go on once every warp of
/// the block that has not exited has arrived.
class BlockBarrier : public Module {
 public:
  BlockBarrier(const sc_core::sc_module_name& name, const BarrierParams& params, unsigned blocks);

  const char* kind() const override { return "BlockBarrier"; }
  const char* hardware() const override { return "barriers of the resident blocks"; }
  const char* section() const override { return "barrier"; }

  void start_block(unsigned block_slot, unsigned warps);
  void arrive(unsigned block_slot, unsigned sm_slot, Cycle now);
  void exit(unsigned block_slot, Cycle now);

  struct Release {
    unsigned sm_slot;
    Cycle cycle;
  };
  bool has_releases() const { return !releases_.empty(); }
  /// Warps let go since the last call.
  std::vector<Release> take_releases();

 private:
  struct Block {
    unsigned running = 0;
    std::vector<unsigned> waiting;
    Cycle last_arrival = 0;
  };
  void release_if_complete(Block& block, Cycle now);

  const BarrierParams params_;
  Cycle free_ = 0;  ///< first cycle in which the next warp can arrive
  std::vector<Block> blocks_;
  std::vector<Release> releases_;
};

}  // namespace shflsim::model
