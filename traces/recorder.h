// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/machine/machine.h"
#include "traces/findings.h"
#include "traces/lane_map_table.h"
#include "traces/trace.h"

namespace shflsim::traces {

/// Writes down what the functional machine executes.
class Recorder final : public isa::StepObserver {
 public:
  Recorder(const isa::Program& program, const isa::Launch& launch);

  void on_step(const isa::ExecutedStep& step) override;
  void on_undefined_use(const isa::UndefinedUse& use) override;

  /// The trace of a launch that has ended with this outcome; the recorder is empty afterwards.
  Trace finish(const isa::Outcome& outcome);

 private:
  WarpTrace& warp_trace(uint32_t block, uint32_t warp);

  Trace trace_;
  LaneMapTable maps_;
  FindingList findings_;
};

/// Executes the launch and returns its trace; `outcome` receives what the machine says besides.
/// Throws InputError as isa::execute does.
Trace record(const isa::Program& program, const isa::Launch& launch, isa::DeviceMemory& memory,
             const isa::MachineOptions& options, isa::Outcome* outcome);

}  // namespace shflsim::traces
