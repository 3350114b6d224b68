// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/shuffle/shuffle_network.h"
#include "report/run/columns.h"
#include "traces/warp_reader.h"

namespace shflsim::report {

/// What the shuffle network's ports carry for the SHFLs of a run, pass by pass.
class PortPasses {
 public:
  /// By pass of the network, the ports that carry a value in it.
  using Ports = std::vector<std::vector<uint32_t>>;

  PortPasses(const traces::Trace& trace, const model::RunResult& result);

  /// Of the `number`-th instruction of a warp, each to be asked in ascending order; nothing of what
  /// is no SHFL or has no lanes in the trace.
  const Ports& of(uint32_t warp, uint32_t number);
  /// Nothing more is asked of this warp.
  void forget(uint32_t warp) { warps_[warp].steps.reset(); }
  unsigned port_count() const { return network_->ports(); }
  std::string port_name(uint32_t port) const { return network_->port_name(port); }
  /// Sub-partitions that share a unit.
  unsigned cluster() const { return cluster_; }

 private:
  struct Warp {
    std::optional<traces::WarpReader> steps;
    uint32_t number = 0;  ///< where it stands
  };
  const Ports& of_map(uint32_t map);

  const traces::Trace& trace_;
  std::unique_ptr<model::ShuffleNetwork> network_;
  unsigned cluster_ = model::kSubPartitions;
  std::vector<Warp> warps_;
  std::vector<Ports> maps_;  ///< by lane map; empty: not asked for yet
};

}  // namespace shflsim::report
