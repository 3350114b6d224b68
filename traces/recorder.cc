// SPDX-License-Identifier: Apache-2.0
#include "traces/recorder.h"

#include <utility>

namespace shflsim::traces {
namespace {

/// FNV-1a over a map's contents.
uint64_t hash_of(const isa::LaneMap& map) {
  uint64_t hash = 0xCBF29CE484222325u;
  const auto add = [&hash](uint64_t value) { hash = (hash ^ value) * 0x100000001B3u; };
  for (const uint8_t source : map.source) add(source);
  add(map.executing);
  add(map.in_range);
  add(map.undefined);
  return hash;
}

}  // namespace

Recorder::Recorder(const isa::Program& program, const isa::Launch& launch) {
  trace_.program = program;
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

uint32_t Recorder::index_of(const isa::LaneMap& map) {
  const uint64_t hash = hash_of(map);
  const auto [first, last] = known_maps_.equal_range(hash);
  for (auto entry = first; entry != last; ++entry) {
    if (trace_.lane_maps[entry->second] == map) return entry->second;
  }
  const uint32_t index = static_cast<uint32_t>(trace_.lane_maps.size());
  trace_.lane_maps.push_back(map);
  known_maps_.emplace(hash, index);
  return index;
}

void Recorder::on_step(const isa::ExecutedStep& step) {
  WarpTrace& warp = warp_trace(step.block, step.warp);
  Step entry;
  entry.index = step.index;
  entry.lanes = step.lanes;
  if (step.lane_map != nullptr) entry.payload = index_of(*step.lane_map);
  if (step.addresses != nullptr) {
    entry.payload = static_cast<uint32_t>(warp.addresses.size());
    warp.addresses.push_back(*step.addresses);
  }
  warp.steps.push_back(entry);
}

void Recorder::on_undefined_use(const isa::UndefinedUse& use) {
  const auto key = std::make_tuple(use.index, use.block, use.warp, std::string(use.what));
  const auto [entry, is_new] = known_findings_.emplace(key, trace_.findings.size());
  if (is_new) trace_.findings.push_back({use.index, use.block, use.warp, 0, use.what});
  trace_.findings[entry->second].lanes |= use.lanes;
}

Trace Recorder::finish(const isa::Outcome& outcome) {
  trace_.shared_bytes = outcome.shared_bytes;
  known_maps_.clear();
  known_findings_.clear();
  return std::exchange(trace_, {});
}

Trace record(const isa::Program& program, const isa::Launch& launch, isa::DeviceMemory& memory,
             const isa::MachineOptions& options, isa::Outcome* outcome) {
  Recorder recorder(program, launch);
  *outcome = isa::execute(program, launch, memory, recorder, options);
  return recorder.finish(*outcome);
}

}  // namespace shflsim::traces
