// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "model/mio/in_order_pipe.h"
#include "model/mio/mio.h"
#include "model/shuffle/shuffle_network.h"

namespace shflsim::model {

struct ShuffleParams {
  uint32_t latency = 0;
  uint32_t lanes = 0;
  uint32_t shares_pipe = 0;
  uint32_t cluster = 0;
  uint32_t pipelined = 0;
  uint32_t interval = 0;
  uint32_t queue_depth = 0;
  uint32_t predicate_latency = 0;

  void list(ParameterList& out) {
    out.number("shuffle.latency", &latency, 1, 256, "cycles", "last pass to the result's use");
    out.number("shuffle.lanes", &lanes, 1, isa::kLanes, "lanes per cycle",
               "lanes that a pass delivers in a cycle");
    out.flag("shuffle.shares_pipe", &shares_pipe,
             "the unit and shared memory take turns on one pipe");
    out.number("shuffle.cluster", &cluster, 1, kSubPartitions, "sub-partitions",
               "that share a unit: 1, 2 or 4");
    out.flag("shuffle.pipelined", &pipelined,
             "a SHFL may start before the one before it has its result");
    out.number("shuffle.interval", &interval, 1, 256, "cycles", "from a pass to the next");
    out.number("shuffle.queue_depth", &queue_depth, 0, 64, "entries",
               "SHFLs that wait at a unit's input, out of the MIO queue");
    out.number("shuffle.predicate_latency", &predicate_latency, 0, 256, "cycles",
               "the result's use to the use of a predicate that SHFL writes too");
  }
};

/// The shuffle units of an SM, one for each cluster of sub-partitions: each takes one SHFL at a
/// time from the MIO arbiter, moves its lanes over its network in one or more passes, and returns
/// in order.
class ShuffleUnit : public sc_core::sc_module, public MioUnit {
 public:
  /// `maps`: the lane maps of the trace that runs, which may grow. `pipe`: that of the unit where
  /// there is only one, its own or shared memory's. Throws InputError for clusters that do not
  /// divide the SM, and for several units on shared memory's one pipe.
  ShuffleUnit(const sc_core::sc_module_name& name, const ShuffleParams& params,
              std::unique_ptr<ShuffleNetwork> network, InOrderPipe& pipe,
              const std::vector<isa::LaneMap>& maps);

  Cycle free_from(unsigned sub_partition, Cycle now) const override;
  MioCompletion start(unsigned sub_partition, const MioRequest& request, Cycle now) override;
  uint32_t beats(const MioRequest& request) override {
    return (cost_of(request.lane_map).cycles - 1) * params_.interval + 1;
  }
  UnitStats stats() const {
    return {"shuffle", kSubPartitions / params_.cluster, busy_, operations_};
  }

 private:
  /// What the network says of a lane map, kept for the next SHFL with the same map.
  struct Cost {
    uint32_t passes = 0;
    uint32_t cycles = 0;
    uint32_t port_conflicts = 0;
    uint32_t undefined_reads = 0;
  };
  /// One unit: its pipe, and when the SHFLs at its input start, first to last.
  struct Unit {
    InOrderPipe* pipe = nullptr;
    std::deque<Cycle> waiting;
  };
  const Cost& cost_of(uint32_t map) {
    const bool is_known = map < costs_.size() && costs_[map].passes != 0;
    return is_known ? costs_[map] : find_cost(map);
  }
  const Cost& find_cost(uint32_t map);
  /// The start of a SHFL that the unit takes at `now`.
  Cycle begin_of(Unit* unit, Cycle now) const;
  /// Holds the unit's pipe from `start` on; returns the cycle of the result.
  Cycle take(InOrderPipe* pipe, Cycle start, uint32_t passes) const;

  const ShuffleParams params_;
  const std::unique_ptr<ShuffleNetwork> network_;
  std::array<InOrderPipe, kSubPartitions> own_pipes_;
  std::vector<Unit> units_;
  std::array<Unit*, kSubPartitions> unit_of_{};  ///< by sub-partition
  const std::vector<isa::LaneMap>& maps_;
  std::vector<Cost> costs_;       ///< by lane map
  const Cost empty_{1, 1, 0, 0};  ///< no lane executes: a pass without deliveries
  uint64_t busy_ = 0;
  uint64_t operations_ = 0;
};

}  // namespace shflsim::model
