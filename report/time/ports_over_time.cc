// SPDX-License-Identifier: Apache-2.0
#include "report/time/ports_over_time.h"

#include "model/core/run_result.h"

namespace shflsim::report {

std::shared_ptr<void> PortsOverTime::elaborate(const traces::Trace& trace,
                                               const model::RunResult& result) {
  carried_.emplace(trace, result);
  instances_ = result.sms * model::kSubPartitions / carried_->cluster();
  bins_ = Bins(carried_->port_count());
  return nullptr;
}

void PortsOverTime::issued(const model::ResidentWarp& /*warp*/, const model::Issue& issue) {
  if (carried_->is_shuffle(issue)) shuffles_[{issue.id.warp, issue.id.number}] = issue;
}

void PortsOverTime::passes(model::InstructionId id, model::Cycle first, uint32_t count,
                           uint32_t interval) {
  const auto shuffle = shuffles_.find({id.warp, id.number});
  if (shuffle == shuffles_.end()) return;
  const PortPasses::Ports& ports = carried_->of(shuffle->second);
  shuffles_.erase(shuffle);
  for (size_t pass = 0; pass < ports.size(); ++pass) {
    // If passes take several cycles of the unit, all passes get an equal part of them.
    const model::Cycle at = first + model::Cycle{interval} * (count * pass / ports.size());
    for (const uint32_t port : ports[pass]) bins_.add(port, at, at + 1);
  }
}

std::vector<PortsOverTime::Port> PortsOverTime::ports(model::Cycle cycles) const {
  std::vector<Port> ports;
  if (!carried_) return ports;
  const std::vector<std::vector<uint64_t>> rows = bins_.over(cycles);
  for (uint32_t port = 0; port < rows.size(); ++port) {
    bool is_used = false;
    for (const uint64_t passes : rows[port]) is_used |= passes != 0;
    if (is_used) ports.push_back({carried_->port_name(port), rows[port]});
  }
  return ports;
}

}  // namespace shflsim::report
