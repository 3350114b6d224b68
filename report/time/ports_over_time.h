// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "model/core/observer.h"
#include "report/run/bins.h"
#include "report/time/port_passes.h"

namespace shflsim::report {

/// The number of passes in which each port of the shuffle network carried a value, over time,
/// summed over all units of all SMs.
class PortsOverTime final : public model::Observer {
 public:
  struct Port {
    std::string name;
    std::vector<uint64_t> passes;  ///< by bin
  };

  std::shared_ptr<void> elaborate(const traces::Trace& trace,
                                  const model::RunResult& result) override;
  void issued(const model::ResidentWarp& warp, const model::Issue& issue) override;
  void passes(model::InstructionId id, model::Cycle first, uint32_t count,
              uint32_t interval) override;

  /// The width of a bin, cycles.
  model::Cycle width() const { return bins_.width(); }
  /// The number of units with such ports, in all SMs.
  uint32_t instances() const { return instances_; }
  /// The ports that carried a value.
  std::vector<Port> ports(model::Cycle cycles) const;

 private:
  using Id = std::pair<uint32_t, uint32_t>;  ///< model::InstructionId

  std::optional<PortPasses> carried_;
  std::map<Id, model::Issue> shuffles_;  ///< issued, but not yet in their unit
  uint32_t instances_ = 0;
  Bins bins_;
};

}  // namespace shflsim::report
