// SPDX-License-Identifier: Apache-2.0
#include "report/time/port_passes.h"

#include "report/run/compare_design.h"

namespace shflsim::report {

PortPasses::PortPasses(const traces::Trace& trace, const model::RunResult& result) : trace_(trace) {
  model::ConfigLayers layers;
  for (const model::ConfigValue& each : result.config) {
    layers.add_setting(each.key + "=" + each.value);
    if (each.key == "shuffle.cluster") cluster_ = static_cast<unsigned>(std::stoul(each.value));
  }
  network_ = network_choice(layers)->make(isa::kLanes);
}

const PortPasses::Ports& PortPasses::of(const model::Issue& issue) {
  static const Ports kNone;
  const bool has_map = issue.payload != traces::Step::kNone;
  return has_map && is_shuffle(issue) ? of_map(issue.payload) : kNone;
}

const PortPasses::Ports& PortPasses::of_map(uint32_t map) {
  if (map >= maps_.size()) maps_.resize(trace_.maps().size());
  Ports& ports = maps_[map];
  if (!ports.empty()) return ports;
  for (const model::Pass& pass : network_->route(trace_.maps()[map]).passes) {
    ports.emplace_back();
    for (const model::PortUse& use : pass.uses) ports.back().push_back(use.port);
  }
  return ports;
}

std::vector<uint32_t> PortPasses::passes_of_lanes(uint32_t map) const {
  std::vector<uint32_t> passes(isa::kLanes);
  uint32_t number = 0;
  for (const model::Pass& pass : network_->route(trace_.maps()[map]).passes) {
    ++number;
    for (const model::Delivery& delivery : pass.deliveries) passes[delivery.lane] = number;
  }
  return passes;
}

}  // namespace shflsim::report
