// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "isa/machine/bit_activity.h"
#include "isa/machine/stepped_launch.h"
#include "traces/findings.h"
#include "traces/lane_map_table.h"
#include "traces/step_teller.h"
#include "traces/trace.h"

namespace shflsim::traces {

/// A buffer in device memory.
struct BufferPlace {
  uint64_t address = 0;
  uint64_t bytes = 0;
};

/// A launch that is executed while it is timed: a step takes effect when the model issues it. Steps
/// that no other warp can observe are executed a little ahead. Each run of the model executes the
/// launch from its start; all runs but the first use a copy of the initial memory. If memory of the
/// process is mapped, only one run is possible.
class LiveLaunch final : public StepSource, private isa::StepObserver {
 public:
  /// Program, launch and memory must outlive this object. Throws InputError as isa::execute does
  /// before execution.
  LiveLaunch(const isa::Program& program, const isa::Launch& launch, isa::DeviceMemory& memory,
             isa::MachineOptions options);
  ~LiveLaunch() override;
  LiveLaunch(const LiveLaunch&) = delete;
  LiveLaunch& operator=(const LiveLaunch&) = delete;

  void begin_run(uint32_t clock_mhz, RunEvents* events = nullptr,
                 bool asks_bits = false) const override;
  void end_copy(const isa::BulkCopy& copy, uint64_t now) const override;
  void give_up(size_t warp, uint64_t now) const override;
  std::unique_ptr<StepCursor> open(size_t warp) const override { return open_at(warp, {}); }
  std::unique_ptr<StepCursor> open_at(size_t warp, const WarpPlace& place) const override;
  const std::vector<isa::LaneMap>& lane_maps() const override { return maps_of(0); }
  bool is_parallel() const override { return teller_.recorder() == nullptr; }
  const std::vector<isa::LaneMap>& maps_of(uint32_t list) const override;
  bool tells_events() const override { return true; }
  std::shared_ptr<const isa::BitActivity> bit_activity() const override;
  bool is_repeatable() const override { return initial_.has_value(); }
  void explain_standstill() const override { running_->fail_if_stuck(); }
  void fail_if_endless() const override { running_->fail_if_endless(); }

  /// Also sends the executed steps to `observer`; nullptr: to none.
  void record(isa::StepObserver* observer) { teller_.set_recorder(observer); }
  /// True if a run has begun to execute.
  bool has_begun() const { return has_begun_; }
  /// Executes the rest of a run that ended early, so that memory is as after a whole run. Each step
  /// then takes a cycle.
  void finish() const;

  /// The outcome of the last run so far, and its uses of undefined values by block and warp.
  isa::Outcome outcome() const { return running_->outcome(); }
  std::vector<Finding> findings() const { return findings_.all(); }
  /// The buffers that the launch's arguments point to, in the order of the arguments.
  std::vector<BufferPlace> buffers() const;
  /// Shared memory of a block in bytes: as declared, or as execution without time uses it.
  uint32_t shared_bytes() const;

 private:
  class Cursor;
  class OnSm;

  // Of steps that are executed without time.
  void on_step(const isa::ExecutedStep& step) override;
  void on_undefined_use(const isa::UndefinedUse& use) override;
  void on_block_end(uint32_t block) override;
  void tell_recorder(const isa::ExecutedStep& step);
  void restart(isa::DeviceMemory& memory);
  OnSm& on_sm(const WarpPlace& place);
  void leave(isa::Block& block, uint32_t warp);

  const isa::Program& program_;
  const isa::Launch& launch_;
  isa::MachineOptions options_;
  isa::DeviceMemory& memory_;
  std::optional<isa::DeviceMemory> initial_;  ///< the memory before the launch
  isa::DeviceMemory again_;                   ///< memory of all runs but the first
  bool is_first_ = true;
  bool has_begun_ = false;
  bool asks_bits_ = false;
  uint32_t clock_mhz_ = 1000;
  std::unique_ptr<isa::SteppedLaunch> running_;
  std::vector<std::unique_ptr<OnSm>> sms_;  ///< by SM; nullptr: it has had no block
  isa::LaunchClock rest_;                   ///< of steps that are executed without time
  std::deque<LaneMapTable> maps_{1};
  std::mutex mutex_;  ///< of findings_ and under_way_
  FindingList findings_;
  /// The state of a block.
  struct OfBlock {
    uint32_t left = 0;      ///< warps that have not left
    unsigned given_up = 0;  ///< successive waits for phases that were given up
  };
  std::vector<OfBlock> blocks_;  ///< by block
  StepTeller teller_;
  std::map<uint64_t, isa::BulkCopy> under_way_;  ///< copies whose end was not reported yet
  std::atomic<uint64_t> copies_{0};
  RunEvents* events_ = nullptr;  ///< receiver of the run's events, or nullptr
};

/// The trace of a launch that is executed while the trace is timed. `live` must not have begun.
Trace live_trace(const isa::Program& program, const isa::Launch& launch,
                 std::shared_ptr<const LiveLaunch> live);

/// The buffers of a trace with a LiveLaunch; none for other traces.
std::vector<BufferPlace> buffers_of(const Trace& trace);

}  // namespace shflsim::traces
