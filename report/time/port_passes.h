// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/core/observer.h"
#include "model/shuffle/shuffle_network.h"
#include "report/run/columns.h"

namespace shflsim::report {

/// The values that the shuffle network's ports carry for the SHFLs of a run, pass by pass.
class PortPasses {
 public:
  /// By pass: the ports that carry a value in it.
  using Ports = std::vector<std::vector<uint32_t>>;

  PortPasses(const traces::Trace& trace, const model::RunResult& result);

  bool is_shuffle(const model::Issue& issue) const {
    return trace_.code.lines[issue.index].is_shuffle();
  }
  /// Empty for other operations, and for SHFLs without lanes in the trace.
  const Ports& of(const model::Issue& issue);
  /// The pass, from 1 on, that serves each lane of a map; 0 for lanes that do not execute.
  std::vector<uint32_t> passes_of_lanes(uint32_t map) const;
  unsigned port_count() const { return network_->ports(); }
  std::string port_name(uint32_t port) const { return network_->port_name(port); }
  /// The number of sub-partitions that share a unit.
  unsigned cluster() const { return cluster_; }

 private:
  const Ports& of_map(uint32_t map);

  const traces::Trace& trace_;
  std::unique_ptr<model::ShuffleNetwork> network_;
  unsigned cluster_ = model::kSubPartitions;
  std::vector<Ports> maps_;  ///< by lane map; empty: not computed yet
};

}  // namespace shflsim::report
