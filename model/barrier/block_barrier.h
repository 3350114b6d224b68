// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
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
  uint32_t reduction = 0;
  uint32_t hold = 0;

  void list(ParameterList& out) {
    out.number("barrier.latency", &latency, 1, 256, "cycles",
               "time from the last arrival to the first issue after the barrier");
    out.flag("barrier.deferred", &deferred,
             "1: a barrier bypasses the MIO queue, and stops its warp only at the next MIO or "
             "branch instruction");
    out.number("barrier.arrival", &arrival, 0, 64, "cycles",
               "deferred: time from the issue to the arrival of the warp");
    out.number("barrier.reduction", &reduction, 0, 256, "cycles",
               "deferred: further time until the arrival of BAR.RED");
    out.number("barrier.hold", &hold, 0, 64, "cycles", "time between the arrivals of two warps");
  }
};

/// A warp's arrival at one of its block's barriers.
struct BarrierArrival {
  unsigned number = 0;
  unsigned warps = 0;  ///< warps that have to arrive; 0: all warps that have not exited
  bool stops = true;   ///< the warp waits there
};

/// The block barriers of an SM, 16 per block. Warps arrive with BAR. Warps that wait at a barrier
/// continue when as many warps have arrived as the last BAR requires.
class BlockBarrier : public Module {
 public:
  BlockBarrier(const sc_core::sc_module_name& name, const BarrierParams& params, unsigned blocks);

  const char* kind() const override { return "BlockBarrier"; }
  const char* hardware() const override { return "barriers of the resident blocks"; }
  const char* section() const override { return "barrier"; }

  void start_block(unsigned block_slot, unsigned warps);
  void arrive(unsigned block_slot, unsigned sm_slot, const BarrierArrival& arrival, Cycle now);
  void exit(unsigned block_slot, unsigned sm_slot, Cycle now);

  struct Release {
    unsigned sm_slot;
    Cycle cycle;
  };
  bool has_releases() const { return !releases_.empty(); }
  /// The warps released since the last call.
  std::vector<Release> take_releases();

 private:
  static constexpr unsigned kNumbers = 16;
  /// Bit n: the warp in SM slot n.
  using SmSlots = uint64_t;
  struct Barrier {
    unsigned arrivals = 0;
    unsigned wanted = 0;  ///< warps that have to arrive; 0: all running warps
    SmSlots arrived = 0;  ///< running warps that have arrived
    SmSlots waiting = 0;
    Cycle last_arrival = 0;
  };
  struct Block {
    unsigned started = 0;
    unsigned running = 0;
    std::array<Barrier, kNumbers> barriers;
  };
  static bool is_complete(const Block& block, const Barrier& barrier);
  void release_if_complete(const Block& block, Barrier* barrier, Cycle now);

  const BarrierParams params_;
  Cycle free_ = 0;  ///< first cycle in which the next warp can arrive
  std::vector<Block> blocks_;
  std::vector<Release> releases_;
};

}  // namespace shflsim::model
