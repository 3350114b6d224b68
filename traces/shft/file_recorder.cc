// SPDX-License-Identifier: Apache-2.0
#include "traces/shft/file_recorder.h"

#include "traces/recorder.h"

namespace shflsim::traces {

FileRecorder::FileRecorder(const std::string& path, const Trace& code, const LaunchShape& shape)
    : writer_(path, code, shape), warps_per_block_(code.warps_per_block()) {}

void FileRecorder::on_step(const isa::ExecutedStep& step) {
  if (!started_ || step.block != block_) begin_block(step.block);
  writer_.add(first_warp_ + step.warp, step.index, step.lanes, step.lane_map, step.addresses);
}

void FileRecorder::begin_block(uint32_t block) {
  writer_.end_warps();
  for (uint32_t warp = 0; warp < warps_per_block_; ++warp) {
    const size_t number = writer_.begin_warp(block, warp, 0);
    if (warp == 0) first_warp_ = number;
  }
  block_ = block;
  started_ = true;
}

isa::Outcome record_to_file(const std::string& path, const isa::Program& program,
                            const isa::Launch& launch, isa::DeviceMemory& memory,
                            const isa::MachineOptions& options) {
  const LaunchShape shape{launch.grid, launch.block};
  if (launch.is_cooperative) {  // blocks run at the same time; the file has one after the other
    isa::Outcome outcome;
    write_shft(path, record(program, launch, memory, options, &outcome), shape);
    return outcome;
  }
  Trace code;
  code.code = isa::code_of(program);
  code.blocks = static_cast<uint32_t>(launch.grid.count());
  code.threads_per_block = static_cast<uint32_t>(launch.block.count());
  FileRecorder recorder(path, code, shape);
  isa::Outcome outcome = isa::execute(program, launch, memory, recorder, options);
  recorder.finish(outcome);
  return outcome;
}

}  // namespace shflsim::traces
