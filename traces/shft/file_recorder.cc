// SPDX-License-Identifier: Apache-2.0
#include "traces/shft/file_recorder.h"

#include "traces/recorder.h"

namespace shflsim::traces {

FileRecorder::FileRecorder(const std::string& path, const Trace& code, const LaunchShape& shape)
    : writer_(path, code, shape), warps_per_block_(code.warps_per_block()) {}

void FileRecorder::on_step(const isa::ExecutedStep& step) {
  writer_.add(first_warp_of(step.block) + step.warp, step.index, step.lanes, step.lane_map,
              row_of(step));
}

/// Also begins earlier blocks that have not executed anything yet.
size_t FileRecorder::first_warp_of(uint32_t block) {
  for (; next_block_ <= block; ++next_block_) {
    for (uint32_t warp = 0; warp < warps_per_block_; ++warp) {
      const size_t number = writer_.begin_warp(next_block_, warp, 0);
      if (warp == 0) first_warps_[next_block_] = number;
    }
  }
  return first_warps_.at(block);
}

void FileRecorder::on_block_end(uint32_t block) {
  const size_t first = first_warp_of(block);
  for (uint32_t warp = 0; warp < warps_per_block_; ++warp) writer_.end_warp(first + warp);
  first_warps_.erase(block);
}

void FileRecorder::finish(const isa::Outcome& outcome) {
  writer_.finish(outcome.shared_bytes, findings_.all());
}

isa::Outcome record_to_file(const std::string& path, const isa::Program& program,
                            const isa::Launch& launch, isa::DeviceMemory& memory,
                            const isa::MachineOptions& options) {
  FileRecorder recorder(path, empty_trace(program, launch),
                        {launch.grid, launch.block, isa::cluster_of(program, launch)});
  isa::Outcome outcome = isa::execute(program, launch, memory, recorder, options);
  recorder.finish(outcome);
  return outcome;
}

}  // namespace shflsim::traces
