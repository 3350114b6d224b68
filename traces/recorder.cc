// SPDX-License-Identifier: Apache-2.0
#include "traces/recorder.h"

#include <algorithm>
#include <utility>

#include "isa/base/bounded.h"

namespace shflsim::traces {

namespace {

constexpr uint64_t kBytesOfWarp = sizeof(WarpTrace) + 64;  // with empty lists of steps
constexpr uint64_t kBytesOfMap = 2 * sizeof(isa::LaneMap) + 64;
constexpr uint64_t kBytesOfStep = 16;  // with spare room of the growing list

/// A list that grows fourfold copies a third of its steps; one that doubles copies all of them.
/// Unused room takes no memory, but counts against a limit of the address space.
void add(const Step& step, std::vector<Step>* steps) {
  constexpr size_t kShort = size_t{1} << 16;
  const size_t size = steps->size();
  if (size == steps->capacity())
    steps->reserve(std::max<size_t>(4, (size < kShort ? 4 : 2) * size));
  steps->push_back(step);
}

}  // namespace

void check_warps(const isa::Launch& launch) {
  constexpr uint64_t kMostWarps = Recorder::kMostBytes / kBytesOfWarp;
  if (launch.warps() <= kMostWarps) return;
  throw InputError("a grid of " + std::to_string(launch.warps()) + " warps; expected " +
                   std::to_string(kMostWarps) + " at most");
}

Trace empty_trace(const isa::Program& program, const isa::Launch& launch) {
  check_warps(launch);
  Trace trace;
  trace.code = isa::code_of(program);
  trace.is_cooperative = launch.is_cooperative;
  trace.by_cluster = isa::blocks_by_cluster(program, launch);
  trace.cluster_blocks = static_cast<uint32_t>(isa::cluster_of(program, launch).count());
  trace.blocks = static_cast<uint32_t>(launch.grid.count());
  trace.threads_per_block = static_cast<uint32_t>(launch.block.count());
  const uint32_t warps = trace.warps_per_block();
  trace.warps.resize(size_t{trace.blocks} * warps);
  for (size_t i = 0; i < trace.warps.size(); ++i) {
    trace.warps[i].block = static_cast<uint32_t>(i / warps);
    trace.warps[i].warp = static_cast<uint32_t>(i % warps);
  }
  return trace;
}

Recorder::Recorder(const isa::Program& program, const isa::Launch& launch, uint64_t most_bytes)
    : most_bytes_(most_bytes) {
  count(product_of(launch.warps(), kBytesOfWarp));
  trace_ = empty_trace(program, launch);
}

uint64_t Recorder::room_for(uint64_t steps) {
  return std::max(kMostBytes, product_of(steps, kBytesOfStep));
}

void Recorder::count(uint64_t bytes) {
  bytes_ = sum_of(bytes_, bytes);
  if (bytes_ <= most_bytes_) return;
  throw InputError("what the launch executes takes more than " + std::to_string(most_bytes_) +
                   " bytes of memory; expected fewer or --max-instructions, or a trace that is "
                   "written with shflsim trace record");
}

WarpTrace& Recorder::warp_trace(uint32_t block, uint32_t warp) {
  return trace_.warps[size_t{block} * trace_.warps_per_block() + warp];
}

void Recorder::on_step(const isa::ExecutedStep& step) {
  WarpTrace& warp = warp_trace(step.block, step.warp);
  Step entry;
  entry.index = step.index;
  entry.lanes = step.lanes;
  uint64_t bytes = sizeof(Step);
  if (step.lane_map != nullptr) {
    const size_t maps = maps_.maps().size();
    entry.payload = maps_.index_of(*step.lane_map);
    bytes += (maps_.maps().size() - maps) * kBytesOfMap;
  }
  if (const LaneAddresses* const row = row_of(step); row != nullptr) {
    bytes += sizeof(LaneAddresses);
    entry.payload = static_cast<uint32_t>(warp.addresses.size());
    warp.addresses.push_back(*row);
  }
  add(entry, &warp.steps);
  count(bytes);
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
  Recorder recorder(program, launch, Recorder::room_for(options.step_limit));
  *outcome = isa::execute(program, launch, memory, recorder, options);
  return recorder.finish(*outcome);
}

}  // namespace shflsim::traces
