// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "traces/findings.h"
#include "traces/shft/writer.h"

namespace shflsim::traces {

/// Writes down what the functional machine executes, straight into a file.
class FileRecorder final : public isa::StepObserver {
 public:
  FileRecorder(const std::string& path, const Trace& code, const LaunchShape& shape);

  void on_step(const isa::ExecutedStep& step) override;
  void on_undefined_use(const isa::UndefinedUse& use) override { findings_.add(use); }
  void finish(const isa::Outcome& outcome) {
    writer_.finish(outcome.shared_bytes, findings_.all());
  }

 private:
  void begin_block(uint32_t block);

  ShftWriter writer_;
  FindingList findings_;
  const uint32_t warps_per_block_;
  uint32_t block_ = 0;
  size_t first_warp_ = 0;  ///< first warp of the current block, index in the file
  bool started_ = false;
};

/// Executes the launch and writes its trace. Throws InputError as isa::execute does, and where the
/// file cannot be written; it is not there then.
isa::Outcome record_to_file(const std::string& path, const isa::Program& program,
                            const isa::Launch& launch, isa::DeviceMemory& memory,
                            const isa::MachineOptions& options);

}  // namespace shflsim::traces
