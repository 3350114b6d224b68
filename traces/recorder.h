// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/machine/machine.h"
#include "traces/findings.h"
#include "traces/lane_map_table.h"
#include "traces/trace.h"

namespace shflsim::traces {

/// Throws InputError if the launch has more warps than a trace can hold.
void check_warps(const isa::Launch& launch);

/// The trace of a launch before execution: its code, its shape, and warps without
/// steps.
Trace empty_trace(const isa::Program& program, const isa::Launch& launch);

/// The values that a step stores in place of addresses; nullptr if none.
inline const LaneAddresses* row_of(const isa::ExecutedStep& step) {
  return step.asynchronous != nullptr ? step.asynchronous : step.addresses;
}

/// Records what the functional machine executes.
class Recorder final : public isa::StepObserver {
 public:
  /// Greatest size of a trace in bytes, unless the machine's step limit is raised.
  static constexpr uint64_t kMostBytes = uint64_t{512} << 20;

  /// Greatest size of a trace in bytes for a launch with this step limit.
  static uint64_t room_for(uint64_t steps);

  /// Throws InputError if the warps of the launch need more than `most_bytes`; recording throws it
  /// when the steps do.
  Recorder(const isa::Program& program, const isa::Launch& launch,
           uint64_t most_bytes = kMostBytes);

  void on_step(const isa::ExecutedStep& step) override;
  void on_undefined_use(const isa::UndefinedUse& use) override;

  /// The trace of the launch, which ended with this outcome; the recorder is empty afterwards.
  Trace finish(const isa::Outcome& outcome);

 private:
  WarpTrace& warp_trace(uint32_t block, uint32_t warp);
  void count(uint64_t bytes);

  Trace trace_;
  uint64_t bytes_ = 0;  ///< size of the trace so far
  const uint64_t most_bytes_;
  LaneMapTable maps_;
  FindingList findings_;
};

/// Executes the launch and returns its trace; `outcome` receives the machine's other results.
/// Throws InputError as isa::execute does.
Trace record(const isa::Program& program, const isa::Launch& launch, isa::DeviceMemory& memory,
             const isa::MachineOptions& options, isa::Outcome* outcome);

}  // namespace shflsim::traces
