// SPDX-License-Identifier: Apache-2.0
#include "report/port_passes.h"

#include "report/compare_design.h"

namespace shflsim::report {

PortPasses::PortPasses(const Run& run) : trace_(run.trace) {
  model::ConfigLayers layers;
  for (const model::ConfigValue& each : run.result.config) {
    layers.add_setting(each.key + "=" + each.value);
    if (each.key == "shuffle.cluster") cluster_ = static_cast<unsigned>(std::stoul(each.value));
  }
  network_ = network_choice(layers)->make(isa::kLanes);
}

std::vector<std::vector<uint32_t>> PortPasses::of(uint32_t warp, uint32_t number,
                                                  const PipelineRow& row) {
  if (row.passes == 0 || !trace_.code.lines[row.index()].is_shuffle()) return {};
  if (!steps_ || warp_ != warp) {
    steps_.emplace(trace_, warp);
    warp_ = warp;
    number_ = 0;
  }
  for (; number_ < number; ++number_) steps_->next();
  const uint32_t map = steps_->step().payload;
  if (map == traces::Step::kNone) return {};
  const model::Schedule schedule = network_->route(trace_.maps()[map]);
  if (schedule.pass_count() != row.passes) return {};
  std::vector<std::vector<uint32_t>> ports;
  for (const model::Pass& pass : schedule.passes) {
    ports.emplace_back();
    for (const model::PortUse& use : pass.uses) ports.back().push_back(use.port);
  }
  return ports;
}

}  // namespace shflsim::report
