// SPDX-License-Identifier: Apache-2.0
#pragma once

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

  void list(ParameterList& out) {
    out.number("shuffle.latency", &latency, 1, 256, "cycles", "last pass to the result's use");
    out.number("shuffle.lanes", &lanes, 1, isa::kLanes, "lanes per cycle",
               "lanes that a pass delivers in a cycle");
    out.flag("shuffle.shares_pipe", &shares_pipe,
             "the unit and shared memory take turns on one pipe");
  }
};

/// The shuffle unit of an SM: takes one SHFL at a time from the MIO arbiter, moves its lanes over
/// the network in one or more passes, and returns in order.
class ShuffleUnit : public sc_core::sc_module, public MioUnit {
 public:
  /// `maps`: the lane maps of the trace that runs. `pipe`: its own, or shared memory's.
  ShuffleUnit(const sc_core::sc_module_name& name, const ShuffleParams& params,
              std::unique_ptr<ShuffleNetwork> network, InOrderPipe& pipe,
              const std::vector<isa::LaneMap>& maps);

  Cycle free_from(unsigned sub_partition, Cycle now) const override;
  MioCompletion start(unsigned sub_partition, const MioRequest& request, Cycle now) override;
  UnitStats stats() const { return {"shuffle", 1, busy_, operations_}; }

 private:
  /// What the network says of a lane map, kept for the next SHFL with the same map.
  struct Cost {
    uint32_t passes = 0;
    uint32_t cycles = 0;
    uint32_t port_conflicts = 0;
  };
  const Cost& cost_of(uint32_t map);

  const ShuffleParams params_;
  const std::unique_ptr<ShuffleNetwork> network_;
  InOrderPipe& pipe_;
  const std::vector<isa::LaneMap>& maps_;
  std::vector<Cost> costs_;
  uint64_t busy_ = 0;
  uint64_t operations_ = 0;
};

}  // namespace shflsim::model
