// SPDX-License-Identifier: Apache-2.0
#include "traces/recorder.h"

#include <utility>

namespace shflsim::traces {

Recorder::Recorder(const isa::Program& program, const isa::Launch& launch) {
  trace_.code = isa::code_of(program);
  trace_.blocks = static_cast<uint32_t>(launch.grid.count());
  trace_.threads_per_block = static_cast<uint32_t>(launch.block.count());
  const uint32_t warps = trace_.warps_per_block();
  trace_.warps.resize(size_t{trace_.blocks} * warps);
  for (size_t i = 0; i < trace_.warps.size(); ++i) {
    trace_.warps[i].block = static_cast<uint32_t>(i / warps);
    trace_.warps[i].warp = static_cast<uint32_t>(i % warps);
  }
}

WarpTrace& Recorder::warp_trace(uint32_t block, uint32_t warp) {
  return trace_.warps[size_t{block} * trace_.warps_per_block() + warp];
}

void Recorder::on_step(const isa::ExecutedStep& step) {
  WarpTrace& warp = warp_trace(step.block, step.warp);
  Step entry;
  entry.index = step.index;
  entry.lanes = step.lanes;
  if (step.lane_map != nullptr) entry.payload = maps_.index_of(*step.lane_map);
  if (step.addresses != nullptr) {
    entry.payload = static_cast<uint32_t>(warp.addresses.size());
    warp.addresses.push_back(*step.addresses);
  }
  warp.steps.push_back(entry);
}

void Recorder::on_undefined_use(const isa::UndefinedUse& use) { findings_.add(use); }

Trace Recorder::finish(const isa::Outcome& outcome) {
  trace_.shared_bytes = outcome.shared_bytes;
  trace_.lane_maps = maps_.maps();
  trace_.findings = findings_.all();
  maps_ = {};
  findings_ = {};
  return std::exchange(trace_, {});
}

Trace record(const isa::Program& program, const isa::Launch& launch, isa::DeviceMemory& memory,
             const isa::MachineOptions& options, isa::Outcome* outcome) {
  Recorder recorder(program, launch);
  *outcome = isa::execute(program, launch, memory, recorder, options);
  return recorder.finish(*outcome);
}

}  // namespace shflsim::traces
