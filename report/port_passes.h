// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/shuffle/shuffle_network.h"
#include "report/columns.h"
#include "report/pipeline.h"
#include "traces/warp_reader.h"

namespace shflsim::report {

/// What the shuffle network's ports carry for the SHFLs of a run, pass by pass.
class PortPasses {
 public:
  explicit PortPasses(const Run& run);

  /// By pass, the ports that carry a value in it. To be asked warp by warp, of instructions in
  /// ascending order. Nothing of what is no SHFL or has no lanes in the trace, nor where a pass of
  /// the network takes the unit several cycles.
  std::vector<std::vector<uint32_t>> of(uint32_t warp, uint32_t number, const PipelineRow& row);
  std::string port_name(uint32_t port) const { return network_->port_name(port); }
  /// Sub-partitions that share a unit.
  unsigned cluster() const { return cluster_; }

 private:
  const traces::Trace& trace_;
  std::unique_ptr<model::ShuffleNetwork> network_;
  unsigned cluster_ = model::kSubPartitions;
  std::optional<traces::WarpReader> steps_;
  uint32_t warp_ = 0;    ///< that the reader is of...
  uint32_t number_ = 0;  ///< ... and where it stands
};

}  // namespace shflsim::report
