// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "traces/findings.h"
#include "traces/recorder.h"
#include "traces/shft/writer.h"

namespace shflsim::traces {

/// Records what the functional machine executes directly in a file. Blocks begin in ascending
/// order; several may run at a time.
class FileRecorder final : public isa::StepObserver {
 public:
  /// `code`: a trace with everything known before execution. All functions throw InputError if the
  /// file cannot be written; then there is no file.
  FileRecorder(const std::string& path, const Trace& code, const LaunchShape& shape);

  void on_step(const isa::ExecutedStep& step) override;
  void on_undefined_use(const isa::UndefinedUse& use) override { findings_.add(use); }
  void on_block_end(uint32_t block) override;
  void finish(const isa::Outcome& outcome);

 private:
  size_t first_warp_of(uint32_t block);

  ShftWriter writer_;
  FindingList findings_;
  const uint32_t warps_per_block_;
  std::map<uint32_t, size_t> first_warps_;  ///< by running block: number of its first warp
  uint32_t next_block_ = 0;
};

/// Executes the launch without time and writes its trace. Throws InputError as isa::execute does,
/// and if the file cannot be written; then there is no file.
isa::Outcome record_to_file(const std::string& path, const isa::Program& program,
                            const isa::Launch& launch, isa::DeviceMemory& memory,
                            const isa::MachineOptions& options);

}  // namespace shflsim::traces
